// What a search for objects brings.
import type {AnyObject} from '../../api/meta/object.ts';
import {fail, Failure} from '../failure.ts';
import type {KindInfo} from './kinds.ts';

/** One object that was found, or is only named (`object` undefined). */
export interface Found {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
  readonly object: AnyObject | undefined;
  /** The file that it stands in; empty when the server has it. */
  readonly source: string;
}

/** Objects, and what could not be found. */
export interface Selected {
  readonly found: readonly Found[];
  readonly failures: readonly Failure[];
  /** What was found and what was not, as it was looked for. */
  readonly visited: readonly (Found | Failure)[];
  /** It was looked for in files. */
  readonly inFiles: boolean;
  /** Only one object was asked for. */
  readonly isSingle: boolean;
}

/** What a search came to. */
export function selection(
  visited: readonly (Found | Failure)[],
  {inFiles = false, isSingle}: {inFiles?: boolean; isSingle: boolean},
): Selected {
  const found = visited.filter((one): one is Found => !(one instanceof Failure));
  return {found, failures: visited.filter(one => one instanceof Failure), visited, inFiles, isSingle};
}

type Visit = (found: Found) => Promise<Failure | undefined>;

/**
 * Does something to each object that was found, and goes on when it fails. Of what is named, all failures stand in the order of the
 * visit. What is wrong in files comes last, as one failure where others come before.
 */
export async function visitEach({visited, inFiles}: Selected, visit: Visit): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const late: Failure[] = [];
  for (const one of visited) {
    const failure = one instanceof Failure ? one : await visit(one);
    if (failure) (one instanceof Failure && inFiles ? late : failures).push(failure);
  }
  return failures.length === 0 ? late : [...failures, ...asOne(late)];
}

/** Does something to each, until the first failure. */
export async function visitUntil(visited: readonly (Found | Failure)[], visit: Visit): Promise<Failure | undefined> {
  for (const one of visited) {
    const failure = one instanceof Failure ? one : await visit(one);
    if (failure) return failure;
  }
  return undefined;
}

/** Failures as one of a list: in its words nobody can tell any more who said them. */
export function asOne(failures: readonly Failure[]): readonly Failure[] {
  return failures.length === 0 ? [] : [fail(new Failure({type: 'several', failures}).message)];
}
