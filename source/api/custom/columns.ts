// The printer columns of a custom resource: its name, and what its definition asks for, or its age.
import type {CustomResourceColumnDefinition} from '../kinds/apiextensions-v1.ts';
import {evaluate} from '../jsonpath/evaluate.ts';
import {parsePath} from '../jsonpath/parse.ts';
import type {ListNode} from '../jsonpath/nodes.ts';
import {valueText} from '../jsonpath/value-text.ts';
import type {AnyObject} from '../meta/object.ts';
import {humanDuration, parseTime} from '../meta/time.ts';
import type {ColumnDefinition} from '../tables/columns.ts';

/** How the objects of a kind are shown. */
export interface CustomColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** The cells of an object; null where it has nothing to show. */
  row(object: AnyObject, nowMs: number): readonly unknown[];
}

const NAME: ColumnDefinition = Object.freeze({name: 'Name', type: 'string', format: 'name', description: '', priority: 0});
const AGE: CustomResourceColumnDefinition = {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'};

interface Column {
  readonly type: string;
  readonly path: ListNode | undefined;
}

/** Reads the columns of one version. */
export function customColumns(listed: readonly CustomResourceColumnDefinition[] | undefined): CustomColumns {
  const wanted = listed && listed.length > 0 ? listed : [AGE];
  const columns = wanted.map(({type, jsonPath}): Column => {
    const parsed = parsePath(`{${jsonPath}}`);
    return {type, path: 'error' in parsed ? undefined : parsed.root};
  });
  return {
    definitions: [
      NAME,
      ...wanted.map(({name, type, format = '', description = '', priority = 0}) => ({name, type, format, description, priority})),
    ],
    row: (object, nowMs) => [object.metadata.name, ...columns.map(column => cell(column, object, nowMs))],
  };
}

function cell({type, path}: Column, object: AnyObject, nowMs: number): unknown {
  const found = path && evaluate(path, object);
  const values = found && 'results' in found ? (found.results[0] ?? []) : [];
  if (values.length === 0) return null;
  const [value] = values;
  switch (type) {
    case 'string':
      return values.map(valueText).join(' ');
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, nowMs) : null;
    default:
      return null;
  }
}

function ageOf(text: string, nowMs: number): string {
  const ms = parseTime(text);
  return ms === undefined ? '<invalid>' : humanDuration(nowMs - ms);
}
