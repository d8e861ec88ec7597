// The parts of a value, by their path elements.
import {isFields, type Fields} from '../../meta/fields.ts';
import {fieldElement, keyElement, valueElement} from './path-element.ts';
import {ANY, leaf, type KeyedShape, type Shape} from './shape.ts';

/** One part of a container. */
export interface Item {
  readonly element: string;
  readonly shape: Shape;
  readonly value: unknown;
}

/** The parts of a value that is owned part by part; undefined where it is owned as a whole. */
export function itemsOf(shape: Shape, value: unknown): readonly Item[] | undefined {
  if (shape.sort === 'leaf') return undefined;
  if (value === null || value === undefined) return shape.sort === 'any' ? undefined : NO_ITEMS;
  if (shape.sort === 'keyed' || shape.sort === 'set') return Array.isArray(value) ? listItems(shape, value) : undefined;
  return isFields(value) ? fieldItems(shape, value) : undefined;
}

const NO_ITEMS: readonly Item[] = [];

function fieldItems(shape: Exclude<Shape, {sort: 'leaf' | 'keyed' | 'set'}>, value: Fields): readonly Item[] {
  const items: Item[] = [];
  for (const name of Object.keys(value)) {
    const part = value[name];
    if (part !== undefined) items.push({element: fieldElement(name), shape: shapeIn(shape, name), value: part});
  }
  if (shape.sort === 'struct') {
    for (const name of shape.nulls)
      if (value[name] === undefined) items.push({element: fieldElement(name), shape: shapeIn(shape, name), value: null});
  }
  return items;
}

/** The shape of a part. */
export function shapeIn(shape: Exclude<Shape, {sort: 'leaf' | 'keyed' | 'set'}>, name: string): Shape {
  if (shape.sort === 'any') return ANY;
  return shape.sort === 'map' ? shape.of : (shape.field(name) ?? ANY);
}

const SCALAR = leaf('scalar');

/** The items of a list that has keys or is a set; of two that are named alike the first counts. */
export function listItems(shape: Extract<Shape, {sort: 'keyed' | 'set'}>, list: readonly unknown[]): readonly Item[] {
  const items = new Map<string, Item>();
  for (const value of list) {
    const element = shape.sort === 'set' ? valueElement(value) : keyedElement(shape, value);
    if (!items.has(element)) items.set(element, {element, shape: shape.sort === 'set' ? SCALAR : shape.of, value});
  }
  return [...items.values()];
}

/** The element of an item by its keys, with their defaults; keys that it lacks are left out. */
export function keyedElement(shape: KeyedShape, value: unknown): string {
  const keys: [string, unknown][] = [];
  for (const {name, otherwise} of shape.keys) {
    const key = (isFields(value) ? value[name] : undefined) ?? otherwise;
    if (key !== undefined) keys.push([name, key]);
  }
  return keyElement(keys);
}
