// The arguments of `label`, `annotate`, `taint` and `set`: resources first, then `key=value` and `key-`; and labels as a flag gives them.
import {fail, type Failure} from '../failure.ts';

export interface SplitArguments {
  readonly resources: readonly string[];
  readonly pairs: readonly string[];
}

/** Parts the arguments where the first change stands. */
export function splitPairs(args: readonly string[]): SplitArguments {
  const isPair = (arg: string) => (arg.includes('=') && !arg.startsWith('=')) || arg.endsWith('-');
  const at = args.findIndex(isPair);
  return at < 0 ? {resources: args, pairs: []} : {resources: args.slice(0, at), pairs: args.slice(at)};
}

/** What is set, and what is taken away. */
export interface MapChange {
  readonly set: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

/** Reads the changes; the key that is both set and taken away is the error. */
export function readPairs(pairs: readonly string[], what: 'label' | 'annotation'): MapChange | {readonly error: string} {
  const set = new Map<string, string>();
  const removed: string[] = [];
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (what === 'label' && at > 0 && pair.indexOf('=', at + 1) > 0) return {error: `invalid label spec: ${pair}`};
    if (at > 0) set.set(pair.slice(0, at), pair.slice(at + 1));
    else if (pair.endsWith('-')) removed.push(pair.slice(0, -1));
    else return {error: what === 'label' ? `unknown label spec: ${pair}` : `unknown annotation spec: ${pair}`};
  }
  const both = removed.find(key => set.has(key));
  if (both === undefined) return {set, removed};
  return {
    error:
      what === 'label'
        ? 'can not both modify and remove a label in the same command'
        : 'can not both modify and remove the following annotation(s) in the same command: ' + both,
  };
}

/** `a=b,c=d`, as `run` and `expose` take labels. */
export function readLabelSpec(text: string): Readonly<Record<string, string>> | Failure {
  const labels: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [key = '', value, ...more] = part.split('=');
    if (value === undefined || more.length > 0) return fail(`unexpected label spec: ${part}`);
    if (key === '') return fail('unexpected empty label key');
    labels[key] = value;
  }
  return labels;
}
