// What a command of etcdctl is, and what it gets.
import type {Header} from '../../api/wire/etcd.ts';
import type {Process} from '../../sim/process/process.ts';
import type {FlagSpec, FlagValues} from '../flags/pflags.ts';
import type {EtcdClient} from './client.ts';
import {Ended, EXIT} from './exit.ts';
import {decimal} from './go-values.ts';
import {jsonText, Raw} from './print/json.ts';

export type Format = 'simple' | 'table' | 'json' | 'fields' | 'protobuf';

/** A command under way. */
export interface Context {
  readonly process: Process;
  readonly client: EtcdClient;
  readonly words: readonly string[];
  readonly flags: FlagValues;
  readonly format: Format;
}

/** One command, by the words that name it. */
export interface Command {
  readonly path: string;
  /** What stands behind its name in the help. */
  readonly usage: string;
  readonly short: string;
  readonly flags?: readonly FlagSpec[];
  run(context: Context): Promise<void>;
}

/** The header of an answer as JSON. */
export function headerJson({clusterId, memberId, revision, term}: Header, withRevision = true): Record<string, unknown> {
  return {
    cluster_id: new Raw(decimal(clusterId)),
    member_id: new Raw(decimal(memberId)),
    ...(withRevision && revision > 0 ? {revision} : {}),
    raft_term: term > 0 ? term : undefined,
  };
}

/** The header of an answer as lines of fields. */
export function headerFields({clusterId, memberId, revision, term}: Header, withRevision = true): string {
  const lines = [`"ClusterID" : ${decimal(clusterId)}`, `"MemberID" : ${decimal(memberId)}`];
  if (withRevision && revision > 0) lines.push(`"Revision" : ${revision}`);
  return `${[...lines, `"RaftTerm" : ${term}`].join('\n')}\n`;
}

/** Prints an answer in the form that was asked for. A table is drawn of few things; protobuf, which would be bytes, is refused. */
export async function print(
  {process, format}: Context,
  forms: {
    readonly simple: () => string;
    readonly json: () => unknown;
    readonly fields?: () => string;
    readonly table?: () => string;
  },
): Promise<void> {
  if (format === 'json') return process.out(`${jsonText(forms.json())}\n`);
  if (format === 'fields' && forms.fields) return process.out(forms.fields());
  if (format === 'table' && forms.table) return process.out(forms.table());
  if (format === 'table' || format === 'protobuf') throw new Ended(`${format} not supported as output format`, EXIT.feature);
  return process.out(forms.simple());
}
