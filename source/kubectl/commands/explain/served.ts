// The fields of a kind that is not built in: the server describes it in OpenAPI.
import type {Schema} from '../../../api/schema/index.ts';
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import {Failure} from '../../failure.ts';
import type {KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';

/** The schema of a kind as its version's document has it; undefined when it has none. */
export async function servedSchema(session: Session, {group, version, kind}: KindInfo): Promise<Schema | Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const document = await api.ask<Fields>({method: 'GET', path: `/openapi/v3/apis/${group}/${version}`});
  if (document instanceof Failure) return document;
  const components = isFields(document['components']) ? document['components'] : {};
  const schemas = isFields(components['schemas']) ? components['schemas'] : {};
  const found = Object.values(schemas).find(schema => isFields(schema) && isOf(schema, {group, version, kind}));
  return isFields(found) ? schemaFrom(found) : undefined;
}

function isOf(schema: Fields, {group, version, kind}: {group: string; version: string; kind: string}): boolean {
  const listed = schema['x-kubernetes-group-version-kind'];
  return (
    Array.isArray(listed) &&
    listed.some(each => isFields(each) && each['group'] === group && each['version'] === version && each['kind'] === kind)
  );
}

const REFERENCE = '#/components/schemas/';

/** A node of a document as the pages know it. */
function schemaFrom(node: Fields): Schema {
  const [first] = Array.isArray(node['allOf']) ? (node['allOf'] as readonly unknown[]) : [];
  const reference = isFields(first) ? first['$ref'] : node['$ref'];
  if (typeof reference === 'string') return {ref: reference.slice(REFERENCE.length)};
  const {type, description, items, properties, required, additionalProperties} = node;
  const listed = node['enum'];
  return {
    ...(typeof type === 'string' ? {type: type as NonNullable<Schema['type']>} : {}),
    description: typeof description === 'string' ? description : '',
    ...(Array.isArray(listed) ? {enum: listed.map(String)} : {}),
    ...(Array.isArray(required) ? {required: required as readonly string[]} : {}),
    ...(isFields(items) ? {items: schemaFrom(items)} : {}),
    ...(isFields(additionalProperties) ? {values: schemaFrom(additionalProperties)} : {}),
    ...(isFields(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, schemaFrom(isFields(field) ? field : {})]),
          ),
        }
      : {}),
  };
}
