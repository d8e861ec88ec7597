// The columns of tables: those of built-in kinds are facts, all others have a name and an age.
import type {Resource} from '../meta/object.ts';
import {findResource} from '../meta/resources.ts';

/** One column, as a Table carries it. Priority 1 shows with `-o wide`. Descriptions are left out. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const PLAIN: readonly ColumnDefinition[] = Object.freeze([
  Object.freeze({name: 'Name', type: 'string', format: 'name', description: '', priority: 0}),
  Object.freeze({name: 'Age', type: 'date', format: '', description: '', priority: 0}),
]);

const known = new Map<string, readonly ColumnDefinition[]>();

/** The columns of a resource. */
export function builtinColumns({group, version, resource}: Resource): readonly ColumnDefinition[] {
  const key = `${group}/${version}/${resource}`;
  const before = known.get(key);
  if (before) return before;
  const columns = findResource(group, version, resource)?.columns ?? [];
  if (columns.length === 0) return PLAIN;
  const made = Object.freeze(columns.map(inOrder));
  known.set(key, made);
  return made;
}

/** In the order of the struct. */
function inOrder({name, type, format, priority}: Omit<ColumnDefinition, 'description'>): ColumnDefinition {
  return Object.freeze({name, type, format, description: '', priority});
}
