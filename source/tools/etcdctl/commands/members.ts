// member …: who belongs to the cluster.
import type {MemberInfo, MembersAnswer, Request} from '../../../api/wire/etcd.ts';
import {headerFields, headerJson, print, type Command, type Context} from '../command.ts';
import {badArgument, Ended} from '../exit.ts';
import {decimal} from '../go-values.ts';
import {Raw} from '../print/json.ts';
import {tableText} from '../print/table.ts';

const HEADS = ['ID', 'STATUS', 'NAME', 'PEER ADDRS', 'CLIENT ADDRS', 'IS LEARNER'];

function row({id, name, peerUrls, clientUrls, learner}: MemberInfo): string[] {
  return [id, name === '' ? 'unstarted' : 'started', name, peerUrls.join(','), clientUrls.join(','), String(learner)];
}

function memberJson({id, name, peerUrls, clientUrls, learner}: MemberInfo): Record<string, unknown> {
  return {
    ID: new Raw(decimal(id)),
    name: name || undefined,
    peerURLs: peerUrls,
    clientURLs: clientUrls.length > 0 ? clientUrls : undefined,
    isLearner: learner || undefined,
  };
}

function memberFields({id, name, peerUrls, clientUrls, learner}: MemberInfo): string {
  return [
    `"ID" : ${decimal(id)}`,
    `"Name" : ${JSON.stringify(name)}`,
    ...peerUrls.map(url => `"PeerURL" : ${JSON.stringify(url)}`),
    ...clientUrls.map(url => `"ClientURL" : ${JSON.stringify(url)}`),
    `"IsLearner" : ${learner}`,
    '',
    '',
  ].join('\n');
}

/** The members in the order of their ids. */
export function sorted(members: readonly MemberInfo[]): MemberInfo[] {
  return [...members].sort((a, b) => (a.id.padStart(16, '0') < b.id.padStart(16, '0') ? -1 : 1));
}

async function list(context: Context): Promise<void> {
  const {client, flags} = context;
  const consistency = flags.text('consistency');
  if (consistency !== 's' && consistency !== 'l') throw new Ended(`unknown consistency flag ${JSON.stringify(consistency)}`, 4);
  const answer = await client.must<MembersAnswer>({kind: 'members', linearizable: consistency === 'l'});
  const members = sorted(answer.members);
  return print(context, {
    simple: () => members.map(member => `${row(member).join(', ')}\n`).join(''),
    table: () => tableText(HEADS, members.map(row)),
    json: () => ({header: headerJson(answer.header, false), members: members.map(memberJson)}),
    fields: () => headerFields(answer.header, false) + members.map(memberFields).join(''),
  });
}

/** Can a text be a URL, as Go's parser judges it? */
function urlError(text: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined;
  if (/^[^/:]*:/.test(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text))
    return `parse ${JSON.stringify(text)}: first path segment in URL cannot contain colon`;
  return undefined;
}

async function add(context: Context): Promise<void> {
  const {client, words, flags} = context;
  const [name, ...more] = words;
  if (name === undefined) throw badArgument('member name not provided');
  if (more.length > 0)
    throw badArgument(more.length > 1 ? 'too many arguments' : `too many arguments, did you mean "--peer-urls ${more[0]}"?`);
  const urls = flags.list('peer-urls');
  if (urls.length === 0) throw badArgument('member peer urls not provided');
  for (const url of urls) {
    const why = urlError(url);
    if (why !== undefined) throw new Ended(why);
  }
  const learner = flags.on('learner');
  const answer = await client.must<MembersAnswer>({kind: 'member-add', peerUrls: urls, learner});
  const {header, member} = answer;
  const id = member?.id ?? '';
  const peers = sorted(answer.members).flatMap(each => each.peerUrls.map(url => `${each.id === id ? name : each.name}=${url}`));
  return print(context, {
    simple: () =>
      [
        `Member ${id} added ${learner ? 'as learner ' : ''}to cluster ${header.clusterId}`,
        '',
        `ETCD_NAME=${JSON.stringify(name)}`,
        `ETCD_INITIAL_CLUSTER=${JSON.stringify(peers.join(','))}`,
        `ETCD_INITIAL_ADVERTISE_PEER_URLS=${JSON.stringify(urls.join(','))}`,
        'ETCD_INITIAL_CLUSTER_STATE="existing"',
        '',
      ].join('\n'),
    json: () => changedJson(answer),
  });
}

function changedJson({header, member, members}: MembersAnswer): Record<string, unknown> {
  return {header: headerJson(header, false), member: member && memberJson(member), members: sorted(members).map(memberJson)};
}

function memberId(words: readonly string[]): string {
  const [text, ...more] = words;
  if (text === undefined || more.length > 0) throw badArgument('member ID is not provided');
  if (!/^[0-9a-f]{1,16}$/i.test(text))
    throw badArgument(
      `bad member ID arg (strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax), expecting ID in Hex`,
    );
  return text.toLowerCase().replace(/^0+(?=.)/, '');
}

function change(kind: 'member-remove' | 'member-promote', says: string) {
  return async (context: Context): Promise<void> => {
    const id = memberId(context.words);
    const answer = await context.client.must<MembersAnswer>({kind, id} satisfies Request);
    return print(context, {
      simple: () => `Member ${id.padStart(16, ' ')} ${says} cluster ${answer.header.clusterId}\n`,
      json: () => changedJson(answer),
    });
  };
}

async function update(context: Context): Promise<void> {
  const {client, words, flags} = context;
  const id = memberId(words);
  const urls = flags.list('peer-urls');
  if (urls.length === 0) throw badArgument('member peer urls not provided');
  const answer = await client.must<MembersAnswer>({kind: 'member-update', id, peerUrls: urls});
  return print(context, {
    simple: () => `Member ${id.padStart(16, ' ')} updated in cluster ${answer.header.clusterId}\n`,
    json: () => changedJson(answer),
  });
}

/** The commands. */
export const MEMBER_COMMANDS: readonly Command[] = [
  {
    path: 'member add',
    usage: '<memberName> [flags]',
    short: 'Adds a member into the cluster',
    flags: [
      {name: 'peer-urls', type: 'strings'},
      {name: 'learner', type: 'bool'},
    ],
    run: add,
  },
  {
    path: 'member list',
    usage: '[flags]',
    short: 'Lists all members in the cluster',
    flags: [
      {name: 'consistency', type: 'string', standard: 'l'},
      {name: 'linearizable', type: 'bool'},
    ],
    run: list,
  },
  {
    path: 'member promote',
    usage: '<memberID>',
    short: 'Promotes a non-voting member in the cluster',
    run: change('member-promote', 'promoted in'),
  },
  {
    path: 'member remove',
    usage: '<memberID>',
    short: 'Removes a member from the cluster',
    run: change('member-remove', 'removed from'),
  },
  {
    path: 'member update',
    usage: '<memberID> [flags]',
    short: 'Updates a member in the cluster',
    flags: [{name: 'peer-urls', type: 'strings'}],
    run: update,
  },
];
