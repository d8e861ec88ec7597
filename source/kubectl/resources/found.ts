// What a search for objects brings.
import type {AnyObject} from '../../api/meta/object.ts';
import {Failure} from '../failure.ts';
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
  /** What was not found, and then what could not be read. */
  readonly failures: readonly Failure[];
  /** What was found and what was not, as it was looked for. */
  readonly visited: readonly (Found | Failure)[];
  /** What stands in files and is no object of a known kind. */
  readonly unread: readonly Failure[];
  /** Only one object was asked for. */
  readonly isSingle: boolean;
}

/** What a search came to. */
export function selection(
  visited: readonly (Found | Failure)[],
  {unread = [], isSingle}: {unread?: readonly Failure[]; isSingle: boolean},
): Selected {
  const found = visited.filter((one): one is Found => !(one instanceof Failure));
  const failures = [...visited.filter(one => one instanceof Failure), ...unread];
  return {found, failures, visited, unread, isSingle};
}

/** Does something to each object that was found. What fails, and what was not found, stands in the order of the visit; what could not be read is told of last. */
export async function visitEach(
  {visited, unread}: Selected,
  visit: (found: Found) => Promise<Failure | undefined>,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const one of visited) {
    const failure = one instanceof Failure ? one : await visit(one);
    if (failure) failures.push(failure);
  }
  return [...failures, ...unread];
}
