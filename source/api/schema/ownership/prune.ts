// What an applier no longer applies goes, unless somebody else holds it: fields, items and keys that it applied the last time, does
// not name this time, and that are nobody's. A struct goes with all that is in it when it was named the last time and nobody
// owns anything in it any more; defaults that were filled in beside an owned field stay.
import {isFields} from '../../meta/fields.ts';
import type {FieldSet} from './field-set.ts';
import {keyedElement} from './items.ts';
import {fieldElement, valueElement} from './path-element.ts';
import {ANY, type Shape} from './shape.ts';

/** The value without what was owned (`last`) and is held by nobody (`held`). */
export function pruned(shape: Shape, value: unknown, last: FieldSet, held: FieldSet | undefined): unknown {
  if (shape.sort === 'leaf' || last.parts.size === 0) return value;
  if (shape.sort === 'keyed' || shape.sort === 'set')
    return Array.isArray(value) ? prunedList(shape, value, {last, held}) : value;
  if (!isFields(value)) return value;
  let out: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const element = fieldElement(name);
    const lost = last.parts.get(element);
    if (!lost) continue;
    const field = shape.sort === 'struct' ? shape.field(name) : shape.sort === 'map' ? shape.of : ANY;
    const kept = prunedPart(field ?? ANY, inner, {lost, held: held?.parts.get(element), isField: shape.sort === 'struct'});
    if (kept === inner) continue;
    out ??= {...value};
    if (kept === undefined) delete out[name];
    else out[name] = kept;
  }
  return out ?? value;
}

interface Part {
  readonly lost: FieldSet;
  readonly held: FieldSet | undefined;
  /** A field of a struct is owned with what is named in it; an item or a key only by itself. */
  readonly isField: boolean;
}

/** What stays of a part; undefined when it goes. */
function prunedPart(shape: Shape, value: unknown, {lost, held, isField}: Part): unknown {
  const goes = isField ? !held : lost.member && held?.member !== true;
  return goes ? undefined : pruned(shape, value, lost, held);
}

function prunedList(
  shape: Extract<Shape, {sort: 'keyed' | 'set'}>,
  list: readonly unknown[],
  {last, held}: {last: FieldSet; held: FieldSet | undefined},
): readonly unknown[] {
  const out: unknown[] = [];
  for (const item of list) {
    const element = shape.sort === 'set' ? valueElement(item) : keyedElement(shape, item);
    const lost = last.parts.get(element);
    const kept = lost
      ? prunedPart(shape.sort === 'set' ? ANY : shape.of, item, {lost, held: held?.parts.get(element), isField: false})
      : item;
    if (kept !== undefined) out.push(kept);
  }
  return out.length === list.length && out.every((item, index) => item === list[index]) ? list : out;
}
