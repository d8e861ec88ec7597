// An object, or a part of it, is what it was when the level began: its spec by default (or its data, where it has no spec).
import {optional, needed, record, text} from '../level/reader.ts';
import type {CheckKind, ObjectReference} from './check.ts';
import {valueAt} from './field.ts';
import {objectReference, referenceText} from './references.ts';

interface Arguments {
  readonly object: ObjectReference;
  readonly path?: string;
}

export const same: CheckKind<Arguments> = {
  name: 'same',
  arguments: record({object: needed(objectReference()), path: optional(text())}),
  judge({object, path}, referee) {
    const now = referee.find(object);
    const before = referee.original(object);
    if (!now) return {met: false, note: `${referenceText(object)} is gone`};
    const parts = path ? [path] : ['spec', 'data', 'stringData', 'rules', 'subjects', 'roleRef', 'webhooks'];
    const changed = parts.find(part => canonical(valueAt(now, part)) !== canonical(valueAt(before, part)));
    return {met: changed === undefined, note: changed === undefined ? 'unchanged' : `${changed} changed`};
  },
};

export const sameUID: CheckKind<{readonly object: ObjectReference}> = {
  name: 'sameUID',
  arguments: record({object: needed(objectReference())}),
  judge({object}, referee) {
    const now = referee.find(object);
    const met = now !== undefined && now.metadata.uid === referee.original(object)?.metadata.uid;
    return {met, note: met ? 'the same' : now ? 'made anew' : 'gone'};
  },
};

/** A value as a text that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
