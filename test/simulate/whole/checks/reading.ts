// How checks read a state: typed lists, who owns what, what counts as there.
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf, keyOf, type AnyObject} from '../../../../source/api/meta/object.ts';
import type {State} from '../ledger.ts';

export function listOf<T>(state: State, resource: string): readonly T[] {
  return [...state.all(resource).values()] as unknown as T[];
}

export function podsOf(state: State): readonly Pod[] {
  return listOf<Pod>(state, 'pods');
}

/** The pods of a controller. */
export function ownedPods(state: State, owner: {readonly metadata: {readonly uid?: string}}): readonly Pod[] {
  return podsOf(state).filter(pod => controllerOf(pod)?.uid === owner.metadata.uid);
}

/** How a finding calls an object. */
export function nameOf(object: {readonly kind?: string; readonly metadata: object}): string {
  return `${object.kind ?? ''} ${keyOf(object as AnyObject)}`;
}

/** Does it hold a finding's two sides together: `wanted` and what there is. */
export function differ(what: string, is: unknown, should: unknown): readonly string[] {
  return JSON.stringify(is ?? 0) === JSON.stringify(should ?? 0)
    ? []
    : [`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`];
}

/** Quotas may keep a controller from what it wants. */
export function isLimited(state: State, namespace: string | undefined): boolean {
  return listOf<{metadata: {namespace?: string}}>(state, 'resourcequotas').some(({metadata}) => metadata.namespace === namespace);
}
