// The types of a version as OpenAPI publishes them: walks over the types of api/schema, with what is said of them where that is known.
import {proseOf} from '../../../../api/schema/descriptions.ts';
import {schemaOf, TYPE_NAMES, typeOfKind, type Schema} from '../../../../api/schema/index.ts';
import {customTypes, METADATA, REFERRED} from '../../crd/open-api.ts';
import type {ServedFacts} from '../../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

/** The types of these resources and all that they are made of. */
export function schemasOf(all: readonly ServedFacts[], prefix: string): Document {
  const found = new Map<string, unknown>();
  const told = toldAtFields();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.set(name, undefined);
    found.set(name, typeNode(name, {prefix, visit, told}));
  };
  if (all.some(({custom}) => custom)) REFERRED.forEach(visit);
  for (const facts of all) for (const [name, type] of customTypes(facts, prefix)) found.set(name, type);
  visit('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  visit('io.k8s.apimachinery.pkg.apis.meta.v1.Status');
  for (const {group, version, kind, subresources} of all) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const inside = subresources.map(each => each.kind.split('/'));
    const others = inside.map(names => typeOfKind(names.slice(0, -1).join('/') || apiVersion, names.at(-1) ?? ''));
    for (const type of [typeOfKind(apiVersion, kind), typeOfKind(apiVersion, `${kind}List`), ...others])
      if (type !== undefined) visit(type);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Walk {
  readonly prefix: string;
  readonly visit: (name: string) => void;
  readonly told: ReadonlySet<string>;
}

function typeNode(name: string, walk: Walk): Document {
  const schema = schemaOf(name);
  const kinds = schema['group-version-kind'];
  return {
    ...described(walk.told.has(name) ? undefined : proseOf(name)?.type),
    ...node(schema, walk, name),
    ...(kinds ? {'x-kubernetes-group-version-kind': kinds} : {}),
  };
}

/** What is said of a field: of the metadata of every kind the same, and of one with few values which they are. */
function wordsOf(type: string, [name, field]: readonly [string, Schema]): string | undefined {
  const prose = proseOf(type);
  if (!prose) return undefined;
  const words = prose.fields[name] ?? (isMetadata(name, field) ? METADATA : proseOf(field.ref ?? '')?.type);
  return words !== undefined && field.enum ? `${words}\n\nPossible enum values:\n${field.enum.map(valueLine).join('\n')}` : words;
}

function isMetadata(name: string, {ref}: Schema): boolean {
  return name === 'metadata' && ref?.endsWith('.meta.v1.ObjectMeta') === true;
}

/**
 * Types that are described at the fields that hold them, as nothing else is said there, and therefore not once more at the type:
 * clients print both.
 */
function toldAtFields(): ReadonlySet<string> {
  return new Set(
    TYPE_NAMES.flatMap(type =>
      Object.entries(schemaOf(type).properties ?? {}).flatMap(([name, field]) =>
        field.ref === undefined || isMetadata(name, field) || proseOf(type)?.fields[name] !== undefined ? [] : [field.ref],
      ),
    ),
  );
}

function valueLine(value: string): string {
  return ` - \`${JSON.stringify(value)}\``;
}

function described(words: string | undefined): Document {
  return words === undefined || words === '' ? {} : {description: words};
}

const EXTENSIONS = ['list-type', 'list-map-keys', 'map-type', 'patch-strategy', 'patch-merge-key'] as const;

function node(schema: Schema, walk: Walk, type = ''): Document {
  const out: Record<string, unknown> = {};
  if (schema.ref !== undefined) {
    walk.visit(schema.ref);
    const target = {$ref: `${walk.prefix}${schema.ref}`};
    // A plain reference may have nothing beside it.
    if (walk.prefix === '#/definitions/') Object.assign(out, target);
    else out['allOf'] = [target];
  }
  if (schema.type !== undefined) out['type'] = schema.type;
  if (schema.format !== undefined) out['format'] = schema.format;
  if (schema.default !== undefined) out['default'] = schema.default;
  if (schema.enum) out['enum'] = schema.enum;
  if (schema.oneOf)
    Object.assign(out, walk.prefix === '#/definitions/' ? {type: 'string'} : {oneOf: schema.oneOf.map(type => ({type}))});
  if (schema.required) out['required'] = schema.required;
  if (schema.properties)
    out['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        name,
        {...described(wordsOf(type, [name, field])), ...node(field, walk)},
      ]),
    );
  if (schema.items) out['items'] = node(schema.items, walk);
  if (schema.values) out['additionalProperties'] = node(schema.values, walk);
  for (const name of EXTENSIONS) if (schema[name] !== undefined) out[`x-kubernetes-${name}`] = schema[name];
  return out;
}
