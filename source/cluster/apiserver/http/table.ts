// Tables: what `kubectl get` prints. The rows of each kind are made in api/tables; here they get their frame.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {ServedFacts} from '../registry/served.ts';
import {tableRows} from '../../../api/tables/index.ts';
import {partialOf} from './form.ts';

export interface TableOptions {
  readonly nowMs: number;
  /** What each row carries beside its cells: `Metadata`, `Object` or `None`. */
  readonly include: string;
  /** Watches send the headers once. */
  readonly headers: boolean;
  readonly metadata: unknown;
}

/** A table of objects. */
export function tableOf(facts: ServedFacts, objects: readonly AnyObject[], options: TableOptions): unknown {
  const {columnDefinitions, rows} = rowsOf(facts, objects, options.nowMs);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.headers ? columnDefinitions : null,
    rows: rows.map(({cells, object}) => ({cells, ...carried(object, options.include)})),
  };
}

function rowsOf({custom, ...facts}: ServedFacts, objects: readonly AnyObject[], nowMs: number) {
  if (!custom) return tableRows(facts, objects, nowMs);
  const {columns} = custom;
  return {columnDefinitions: columns.definitions, rows: objects.map(object => ({cells: columns.row(object, nowMs), object}))};
}

function carried(object: AnyObject, include: string): {object?: AnyObject} {
  if (include === 'None') return {};
  return {object: include === 'Object' ? object : partialOf(object)};
}
