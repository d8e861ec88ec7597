// How many of a component of the control plane are ready: its process runs, its pod is Ready, and, of an API server, the member of
// etcd beside it has a leader (what its pod says may be old while nobody can write it).
import type {Pod} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {needed, number, record, text} from '../level/reader.ts';
import type {CheckKind} from './check.ts';

const pods = builtin('pods');

export const component: CheckKind<{readonly name: string; readonly ready: number}> = {
  name: 'component',
  arguments: record({name: needed(text()), ready: needed(number())}),
  judge({name, ready}, referee) {
    const {machines} = referee;
    const served = new Set(referee.members().flatMap(each => (each.healthy ? [each.node] : [])));
    const good = machines.where(name).filter(node => {
      const pod = referee.find({resource: pods, namespace: 'kube-system', name: `${name}-${node}`}) as Pod | undefined;
      const isReady = pod?.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True');
      return isReady && (name !== 'kube-apiserver' || served.has(node));
    });
    return {met: good.length === ready, note: `${good.length}/${ready}`};
  },
};
