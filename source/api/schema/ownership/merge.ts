// Laying a configuration over an object: what it names is taken from it, all else stays. Items of a list with keys are laid over the
// items of the same name, in the order of the configuration; those that only the object has keep their place between them.
import {isFields} from '../../meta/fields.ts';
import {listItems, shapeIn} from './items.ts';
import type {Shape} from './shape.ts';

/** The object with a configuration laid over it. */
export function merged(shape: Shape, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined || live === null || config === null || shape.sort === 'leaf') return config;
  if (shape.sort === 'keyed' || shape.sort === 'set')
    return Array.isArray(live) && Array.isArray(config) ? mergedLists(shape, live, config) : config;
  if (!isFields(live) || !isFields(config)) return config;
  const out: Record<string, unknown> = {...live};
  for (const [name, value] of Object.entries(config)) out[name] = merged(shapeIn(shape, name), live[name], value);
  return out;
}

function mergedLists(
  shape: Extract<Shape, {sort: 'keyed' | 'set'}>,
  live: readonly unknown[],
  config: readonly unknown[],
): readonly unknown[] {
  const wanted = new Map(listItems(shape, config).map(item => [item.element, item]));
  const present = listItems(shape, live);
  const old = new Map(present.map(item => [item.element, item]));
  const order = [...wanted.keys()];
  const shared = order.filter(element => old.has(element));
  const out: unknown[] = [];
  let next = 0;
  let at = 0;
  /** Takes what the configuration names up to and with an element. */
  const takeTo = (last: string | undefined): void => {
    while (next < order.length) {
      const element = order[next++] ?? '';
      const item = wanted.get(element);
      out.push(item && merged(item.shape, old.get(element)?.value, item.value));
      if (element === last) return;
    }
  };
  for (const {element, value} of present) {
    if (!wanted.has(element)) out.push(value);
    else if (element === shared[at]) {
      takeTo(element);
      at++;
    }
  }
  takeTo(undefined);
  return out;
}
