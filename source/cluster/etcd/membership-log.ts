// What the log and the client are told of a change of the membership.
import type {MemberInfo, MembersAnswer} from '../../api/wire/etcd.ts';
import type {Change} from '../raft/entry.ts';
import type {Context} from './context.ts';
import {log} from './log-line.ts';
import type {ChangeContext} from './membership.ts';

/** The members after a change, and the one that it was about. */
export function membersAnswerOf(context: Context, id: string): MembersAnswer {
  const {membership} = context.backend;
  const member = membership.get(id);
  return {header: context.header(), members: membership.all, ...(member ? {member} : {})};
}

/** Logs a change that was applied. */
export function changeLog(context: Context, change: Change, before: MemberInfo | undefined): void {
  const {daemon, id, backend} = context;
  const ids = {'cluster-id': backend.membership.clusterId, 'local-member-id': id};
  const member = backend.membership.get(change.id) ?? before;
  const told = (who: string) => ({
    [`${who}-id`]: change.id,
    [`${who}-urls`]: member?.peerUrls ?? [],
    [`${who}-is-learner`]: member?.learner ?? false,
  });
  const promote = (change.context as ChangeContext | undefined)?.promote;
  if (promote) {
    const facts = {...ids, 'promoted-member-id': change.id};
    log(daemon, {level: 'info', caller: 'membership/cluster.go:550', msg: 'promote member', facts});
  } else if (change.type === 'remove') {
    const {'removed-remote-peer-id': peer, ...rest} = told('removed-remote-peer');
    const facts = {...ids, 'removed-remote-peer-id': peer, ...rest};
    log(daemon, {level: 'info', caller: 'membership/cluster.go:460', msg: 'removed member', facts});
  } else if (change.type !== 'update') {
    const facts = {
      ...ids,
      'added-peer-id': change.id,
      'added-peer-peer-urls': member?.peerUrls ?? [],
      'added-peer-is-learner': member?.learner ?? false,
    };
    log(daemon, {level: 'info', caller: 'membership/cluster.go:424', msg: 'added member', facts});
  }
  const kind = {
    'add-voter': 'ConfChangeAddNode',
    'add-learner': 'ConfChangeAddLearnerNode',
    remove: 'ConfChangeRemoveNode',
    update: 'ConfChangeUpdateNode',
  };
  const facts = {'local-member-id': id, 'raft-conf-change': kind[change.type], 'raft-conf-change-node-id': change.id};
  log(daemon, {level: 'info', caller: 'etcdserver/server.go:1768', msg: 'applied a configuration change through raft', facts});
}
