// Tables: what `kubectl get` prints. The rows of each kind are made in api/tables; here they get their frame.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import {ageOf} from '../../../api/meta/time.ts';
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
export function tableOf(facts: ResourceFacts, objects: readonly AnyObject[], options: TableOptions): unknown {
  const rows = objects.map(object => ({
    cells: cellsOf(object, options.nowMs),
    ...(options.include === 'None' ? {} : {object: options.include === 'Object' ? object : partialOf(object)}),
  }));
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.headers ? facts.columns.map(column => ({...column, description: ''})) : null,
    rows,
  };
}

function cellsOf(object: AnyObject, nowMs: number): readonly unknown[] {
  return [object.metadata.name, ageOf(object.metadata.creationTimestamp, nowMs)];
}
