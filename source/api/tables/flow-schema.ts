// The row of a FlowSchema.
import type {FlowSchema} from '../kinds/flowcontrol-v1.ts';
import {age, type Cell, NONE, or} from './cells.ts';

/** Name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL. */
export function flowSchemaRow(schema: FlowSchema, nowMs: number): readonly Cell[] {
  const {spec, status} = schema;
  return [
    schema.metadata.name,
    spec?.priorityLevelConfiguration.name ?? '',
    spec?.matchingPrecedence ?? 0,
    or(spec?.distinguisherMethod?.type, NONE),
    age(schema, nowMs),
    status?.conditions?.find(({type}) => type === 'Dangling')?.status ?? '?',
  ];
}
