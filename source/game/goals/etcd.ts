// How etcd is: is there a leader, how many members serve, who they are. It is looked at in the machines, not asked of an API server.
import {checked, list, needed, number, oneOf, optional, record, text, word, yesNo} from '../level/reader.ts';
import type {CheckKind, Referee} from './check.ts';

/** `3`, or `>=2`. */
const count = checked(word(), words => (/^(>=)?\d+$/.test(words) ? undefined : 'a number such as 3, or ">=2", is wanted here'));

interface Arguments {
  readonly leader?: boolean | string;
  readonly among?: readonly string[];
  readonly healthy?: string;
  readonly members?: number;
  readonly newID?: readonly string[];
  readonly clusterID?: 'same';
}

export const etcd: CheckKind<Arguments> = {
  name: 'etcd',
  arguments: record({
    leader: optional((node, place) => (isWord(node) ? text()(node, place) : yesNo()(node, place))),
    among: optional(list(text())),
    healthy: optional(count),
    members: optional(number()),
    newID: optional(list(text())),
    clusterID: optional(oneOf('same')),
  }),
  judge(args, referee) {
    const problem = problemOf(args, referee);
    return problem === undefined ? {met: true, note: healthText(referee)} : {met: false, note: problem};
  },
};

function isWord(node: unknown): boolean {
  return typeof (node as {value?: unknown} | null | undefined)?.value === 'string';
}

function healthText(referee: Referee): string {
  const all = referee.members();
  return `${all.filter(each => each.healthy).length} of ${all.length} healthy`;
}

function problemOf({leader, among, healthy, members, newID = [], clusterID}: Arguments, referee: Referee): string | undefined {
  const all = referee.members().filter(each => !among || among.includes(each.node));
  const leading = all.find(each => each.leads && each.healthy);
  if (leader === true && !leading) return 'no leader';
  if (leader === false && leading) return `${leading.node} leads`;
  if (typeof leader === 'string' && leading?.node !== leader) return leading ? `${leading.node} leads` : 'no leader';
  const well = all.filter(each => each.healthy);
  if (healthy !== undefined && !fits(well.length, healthy)) return `${well.length} of ${all.length} healthy`;
  if (members !== undefined) {
    const known = leading?.members.length ?? 0;
    if (known !== members) return `${known} members`;
  }
  for (const node of newID) if (!isNew(node, referee)) return `${node} is the old member`;
  const others = well.filter(each => each.clusterId !== referee.originalMember(each.node)?.clusterId);
  return clusterID === 'same' && others.length > 0 ? `${others[0]?.node} is of another cluster` : undefined;
}

function fits(value: number, wanted: string): boolean {
  return wanted.startsWith('>=') ? value >= Number(wanted.slice(2)) : value === Number(wanted);
}

/** Is the member on a machine another one than the cluster had there when the level began? */
function isNew(node: string, referee: Referee): boolean {
  const now = referee.members().find(each => each.node === node);
  return now?.healthy === true && now.id !== referee.originalMember(node)?.id;
}

/** A process of a machine runs, or does not. */
export const process: CheckKind<{readonly node: string; readonly name: string; readonly alive?: boolean}> = {
  name: 'process',
  arguments: record({node: needed(text()), name: needed(text()), alive: optional(yesNo())}),
  judge({node, name, alive = true}, {machines}) {
    const runs = machines.runs(node, name);
    return {met: runs === alive, note: `${name} ${runs ? 'runs' : 'does not run'} on ${node}`};
  },
};

/** A process of a machine runs with a flag. */
export const processFlag: CheckKind<{readonly node: string; readonly process: string; readonly flag: string}> = {
  name: 'processFlag',
  arguments: record({node: needed(text()), process: needed(text()), flag: needed(text())}),
  judge({node, process: name, flag}, {machines}) {
    const words = machines.commandLine(node, name) ?? [];
    const found = words.find(word => word === flag || word.startsWith(`${flag}=`));
    return {met: found !== undefined, note: found ?? `no ${flag}`};
  },
};

/** A file or folder of a machine is gone. */
export const fileGone: CheckKind<{readonly node: string; readonly path: string}> = {
  name: 'fileGone',
  arguments: record({node: needed(text()), path: needed(text())}),
  judge({node, path}, {machines}) {
    const there = machines.files(node)?.info(path) !== undefined;
    return {met: !there, note: there ? 'there' : `no ${path} on ${node}`};
  },
};
