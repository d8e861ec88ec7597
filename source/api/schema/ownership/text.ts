// The owners of a large object as JSON, straight from their sets: the list of entries, which nobody else may ever look at, is not made.
import type {ManagedFieldsEntry} from '../../kinds/meta.ts';
import {sortStrings} from '../../meta/go-text.ts';
import type {FieldSet} from './field-set.ts';
import {inEntryOrder, type Owner} from './owners.ts';
import {ownersIn} from './tracked.ts';

/** Sets with more parts are written part by part. */
const MANY = 200;

/** The text of managedFields, in pieces; the first comes when the owners have been worked out. */
export function* ownersText(entries: readonly ManagedFieldsEntry[]): Iterable<string> {
  const owners = inEntryOrder(ownersIn(entries));
  yield '[';
  for (const [at, owner] of owners.entries()) {
    const {head, tail} = around(owner);
    yield `${at === 0 ? '' : ','}${head}`;
    yield* setPieces(owner.set);
    yield tail;
  }
  yield ']';
}

/** What stands before and behind the fields of an owner. */
function around({manager, operation, apiVersion, time, subresource}: Owner): {head: string; tail: string} {
  const head = JSON.stringify({manager, operation, apiVersion, ...(time === undefined ? {} : {time}), fieldsType: 'FieldsV1'});
  const tail = subresource === '' ? '}' : `,"subresource":${JSON.stringify(subresource)}}`;
  return {head: `${head.slice(0, -1)},"fieldsV1":`, tail};
}

function* setPieces(set: FieldSet): Iterable<string> {
  let lead = set.member && set.parts.size > 0 ? '{".":{},' : '{';
  for (const element of sortStrings([...set.parts.keys()])) {
    const part = set.parts.get(element);
    if (!part) continue;
    if (part.parts.size > MANY) {
      yield `${lead}${JSON.stringify(element)}:`;
      yield* setPieces(part);
    } else yield `${lead}${JSON.stringify(element)}:${setText(part)}`;
    lead = ',';
  }
  yield set.parts.size === 0 ? '{}' : '}';
}

/** Many parts of an object have the same set. */
const texts = new WeakMap<FieldSet, string>();

function setText(set: FieldSet): string {
  if (set.parts.size === 0) return '{}';
  const known = texts.get(set);
  if (known !== undefined) return known;
  const text = [...setPieces(set)].join('');
  texts.set(set, text);
  return text;
}
