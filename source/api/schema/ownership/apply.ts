// Server-side apply: a configuration is laid over the object, what its applier dropped is taken out, and whoever else owns a field
// that would change is in conflict with it, unless the applier takes by force.
import {sameJson} from '../merge/json-value.ts';
import {compare} from './compare.ts';
import {fieldsOfConfig} from './config.ts';
import {beyond, difference, isEmpty, memberPaths, union, type FieldSet} from './field-set.ts';
import {merged} from './merge.ts';
import {heldBy, identity, isSameWriter, ownable, without, type Owner, type Owners, type Writer} from './owners.ts';
import {compareStrings} from '../../meta/go-text.ts';
import {pathText} from './path-element.ts';
import {pruned} from './prune.ts';
import type {Shape} from './shape.ts';

/** A field that somebody else owns. */
export interface Conflict {
  readonly owner: Owner;
  readonly path: readonly string[];
}

export interface Application {
  readonly shape: Shape;
  readonly live: unknown;
  readonly owners: Owners;
  readonly config: unknown;
  readonly writer: Writer;
  readonly force: boolean;
  /** What this way of writing does not change. */
  readonly ignored: FieldSet;
  readonly time: string;
}

/** The object and its owners after an apply, or the conflicts. */
export type Applied = {readonly value: unknown; readonly owners: Owners} | {readonly conflicts: readonly Conflict[]};

/** Applies a configuration, with a stop after each of its parts: of a large one each takes a while. */
export function* applying(application: Application): Generator<void, Applied> {
  const {shape, live, owners, config, writer, force, ignored, time} = application;
  const set = beyond(fieldsOfConfig(shape, config), ignored);
  const last = owners.find(owner => isSameWriter(owner, writer));
  const others = owners.filter(owner => owner !== last);
  yield;
  const whole = merged(shape, live, config);
  yield;
  const held = others.reduce((all, owner) => union(all, owner.set), set);
  const value = last ? pruned(shape, whole, last.set, held) : whole;
  yield;
  const comparison = compare(shape, live, value);
  yield;
  const changed = beyond(union(comparison.added, comparison.modified), ignored);
  const conflicts = conflictsOf(others, changed);
  if (conflicts.length > 0 && !force) return {conflicts};
  yield;
  const left = without(others, union(changed, beyond(comparison.removed, ignored)));
  const own = ownable(set);
  const same = sameJson(live, value);
  const when = same ? last?.time : time;
  const owner: Owner = {...writer, time: when, set: own};
  return {value: same ? live : value, owners: isEmpty(own) ? left : [...left, owner]};
}

function conflictsOf(others: Owners, changed: FieldSet): readonly Conflict[] {
  return others
    .toSorted((a, b) => compareStrings(identity(a), identity(b)))
    .flatMap(owner => memberPaths(heldBy(owner, changed)).map(path => ({owner, path})));
}

/** What of a last-applied configuration the object still has as it was applied. */
export function stillAsApplied(shape: Shape, lastApplied: unknown, live: unknown): FieldSet {
  const {added, removed, modified} = compare(shape, lastApplied, live);
  return difference(fieldsOfConfig(shape, lastApplied), union(union(added, removed), modified));
}

/** `"alpha"`, `"kubectl-patch" using v1`. */
export function ownerText({manager, operation, apiVersion, subresource}: Owner): string {
  const name = `${JSON.stringify(manager)}${subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/** All conflicts in words. */
export function conflictsText(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1)
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`;
  const lines: string[] = [];
  for (const [at, {owner, path}] of conflicts.entries()) {
    if (owner !== conflicts[at - 1]?.owner) lines.push(`conflicts with ${ownerText(owner)}:`);
    lines.push(`- ${pathText(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
