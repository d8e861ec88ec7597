// The columns of tables: those of built-in kinds are facts, all others have a name and an age.
import type {Resource} from '../meta/object.ts';
import {findResource} from '../meta/resources.ts';
import {proseOf} from '../schema/descriptions.ts';

/**
 * One column, as a Table carries it. Priority 1 shows with `-o wide`. Of descriptions there are those of name and age, which are those of
 * their fields.
 */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

const known = new Map<string, readonly ColumnDefinition[]>();

/** The columns of a resource. */
export function builtinColumns({group, version, resource}: Resource): readonly ColumnDefinition[] {
  const key = `${group}/${version}/${resource}`;
  const before = known.get(key);
  if (before) return before;
  const columns = findResource(group, version, resource)?.columns ?? [];
  const made = Object.freeze((columns.length === 0 ? PLAIN : columns).map(inOrder));
  known.set(key, made);
  return made;
}

const PLAIN = [
  {name: 'Name', type: 'string', format: 'name', priority: 0},
  {name: 'Age', type: 'date', format: '', priority: 0},
] as const;

/** In the order of the struct. */
function inOrder({name, type, format, priority}: Omit<ColumnDefinition, 'description'>): ColumnDefinition {
  const field = format === 'name' ? 'name' : name === 'Age' ? 'creationTimestamp' : '';
  const description = proseOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')?.fields[field] ?? '';
  return Object.freeze({name, type, format, description, priority});
}
