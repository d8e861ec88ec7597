// The row of a Scale, which is a subresource of what has replicas and no resource of its own.
import type {Scale} from '../kinds/autoscaling-v1.ts';
import type {ColumnDefinition} from './columns.ts';
import {age, type Cell} from './cells.ts';

/** Name, Desired, Available, Age. */
export function scaleRow(scale: Scale, nowMs: number): readonly Cell[] {
  return [scale.metadata.name, scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, age(scale, nowMs)];
}

const column = (name: string, type: string, format = ''): ColumnDefinition =>
  Object.freeze({name, type, format, description: '', priority: 0});

/** What its cells mean. */
export const SCALE_COLUMNS: readonly ColumnDefinition[] = Object.freeze([
  column('Name', 'string', 'name'),
  column('Desired', 'integer'),
  column('Available', 'integer'),
  column('Age', 'string'),
]);
