// Two levels of priority and two flow schemas are fixed: the exempt ones and those that catch all else. Of the exempt level alone,
// how much it may take of others is up to the operator.
import objects from '../data/start-objects.json' with {type: 'json'};
import type {FlowSchema, PriorityLevelConfiguration} from '../kinds/flowcontrol-v1.ts';
import {invalid, root} from '../meta/field-error.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import type {Errors} from './rules.ts';

const FIXED: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

function fixed<T>(kind: string, name: string): T | undefined {
  if (!FIXED.has(name)) return undefined;
  return objects.find(object => object.kind === kind && object.metadata.name === name) as unknown as T | undefined;
}

/** A flow schema that is fixed is as the server made it. */
export function fixedSchema({metadata, spec}: FlowSchema, errors: Errors): void {
  const wanted = fixed<FlowSchema>('FlowSchema', metadata.name);
  if (!wanted || sameJson(spec, wanted.spec)) return;
  const text = `spec of '${metadata.name}' must equal the fixed value`;
  errors.push(invalid(root('spec'), goStruct('FlowSchemaSpec', spec ?? {}), text));
}

/** The same of a priority level. */
export function fixedLevel({metadata, spec}: PriorityLevelConfiguration, errors: Errors): void {
  const wanted = fixed<PriorityLevelConfiguration>('PriorityLevelConfiguration', metadata.name);
  const isExempt = metadata.name === 'exempt';
  const {exempt: _own, ...rest} = spec ?? {};
  const {exempt: _fixed, ...wantedRest} = wanted?.spec ?? {};
  if (!wanted || (isExempt ? sameJson(rest, wantedRest) : sameJson(spec, wanted.spec))) return;
  const text = `spec of '${metadata.name}' ${isExempt ? "except the 'spec.exempt' field " : ''}must equal the fixed value`;
  errors.push(invalid(root('spec'), goStruct('PriorityLevelSpec', spec ?? {}), text));
}
