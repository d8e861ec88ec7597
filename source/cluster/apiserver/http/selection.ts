// Which objects a list or a watch is about: a label selector and a field selector, read from the query, and what they say of
// an object. Only some fields can be selected by, and which ones depends on the kind.
import {matchFields, parseFieldSelector, type FieldRequirement} from '../../../api/meta/field-selector.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {requirementsMatcher, type LabelMatcher} from '../../../api/meta/selector.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {badRequest} from '../../../api/meta/status.ts';
import {refuse, type Refused} from './refused.ts';

/** What a list or watch selects. */
export interface Selection {
  /** Undefined when everything is selected. */
  readonly matches: ((object: AnyObject) => boolean) | undefined;
  /** `metadata.name=X`: that object alone. */
  readonly name: string | undefined;
  /** `metadata.namespace=X`. */
  readonly namespace: string | undefined;
  /** `spec.nodeName=X`, the one field by which pods are indexed. */
  readonly node: string | undefined;
}

/** A field that can be selected by, and how it is read. */
export type FieldReader = (object: AnyObject) => string;

/** The fields of a kind beside `metadata.name` and `metadata.namespace`. */
export type SelectableFields = Readonly<Record<string, FieldReader>>;

export const EVERYTHING: Selection = Object.freeze({matches: undefined, name: undefined, namespace: undefined, node: undefined});

const META_FIELDS: SelectableFields = {
  'metadata.name': object => object.metadata.name,
  'metadata.namespace': object => object.metadata.namespace ?? '',
};

/** Reads the selectors of a query. */
export function readSelection(
  query: Readonly<Record<string, string>>,
  fields: SelectableFields,
  core: boolean,
): Selection | Refused {
  const labelText = query['labelSelector'] ?? '';
  const fieldText = query['fieldSelector'] ?? '';
  if (labelText === '' && fieldText === '') return EVERYTHING;
  const labels = parseSelector(labelText);
  if ('error' in labels) return refuse(badRequest(labels.error));
  const parsed = parseFieldSelector(fieldText);
  if ('error' in parsed) return refuse(badRequest(parsed.error));
  const wrong = parsed.requirements.find(({field}) => !(field in META_FIELDS) && !(field in fields));
  if (wrong) return refuse(badRequest(unknownField(wrong.field, fields, core)));
  return select(labelText === '' ? undefined : requirementsMatcher(labels.requirements), parsed.requirements, fields);
}

function unknownField(field: string, fields: SelectableFields, core: boolean): string {
  if (core && Object.keys(fields).length > 0) return `field label not supported: ${field}`;
  const known = ['metadata.name', 'metadata.namespace', ...Object.keys(fields)];
  return `"${field}" is not a known field selector: only ${known.map(name => `"${name}"`).join(', ')}`;
}

function select(
  labels: LabelMatcher | undefined,
  requirements: readonly FieldRequirement[],
  fields: SelectableFields,
): Selection {
  const equal = (field: string): string | undefined => requirements.find(each => each.field === field && !each.negated)?.value;
  const byFields = (object: AnyObject): boolean =>
    matchFields(requirements, field => (fields[field] ?? META_FIELDS[field])?.(object) ?? '');
  const matches = (object: AnyObject): boolean =>
    (labels === undefined || labels(object.metadata.labels)) && (requirements.length === 0 || byFields(object));
  return {matches, name: equal('metadata.name'), namespace: equal('metadata.namespace'), node: equal('spec.nodeName')};
}
