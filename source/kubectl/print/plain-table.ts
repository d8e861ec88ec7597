// A table of names and ages, for a server that does not make tables.
import type {AnyObject} from '../../api/meta/object.ts';
import {ageOf} from '../../api/meta/time.ts';
import type {Table} from './table.ts';

/** The objects as a table. */
export function tableOf(objects: readonly AnyObject[], now: number): Table {
  return {
    kind: 'Table',
    columnDefinitions: [
      {name: 'Name', type: 'string', format: 'name', priority: 0},
      {name: 'Age', type: 'string', format: '', priority: 0},
    ],
    rows: objects.map(object => ({cells: [object.metadata.name, ageOf(object.metadata.creationTimestamp, now)], object})),
  };
}
