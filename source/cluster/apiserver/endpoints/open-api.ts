// OpenAPI: what each version's types and paths look like, for clients that check what they send (kubectl asks the third edition for the
// fields of an apply and whether a PATCH takes `fieldValidation`). The documents are walks over the types of api/schema.
//
// They have no descriptions, no responses, and of each operation only its kind and its parameters; extension servers have none.
import {deepFreeze} from '../../../api/meta/object.ts';
import {sha256} from '../../../api/meta/hash.ts';
import {schemaOf, typeOfKind, type Schema} from '../../../api/schema/index.ts';
import type {Answer} from '../../../api/wire/http.ts';
import {customTypes, REFERRED} from '../crd/open-api.ts';
import {json} from '../http/reply.ts';
import type {ServedFacts} from '../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

const INFO = {title: 'Kubernetes', version: 'v1.35.4'};
/** Of each version its document and its hash; made when somebody asks. */
const documents = new WeakMap<readonly ServedFacts[], Map<string, Document>>();

/** Answers a path below /openapi; undefined when it is none, or when nothing of that name is served. */
export function answerOpenApi(all: readonly ServedFacts[], path: string): Answer | undefined {
  if (!path.startsWith('/openapi/')) return undefined;
  if (path === '/openapi/v2')
    return json(
      200,
      remembered(all, 'v2', () => editionTwo(all)),
    );
  if (path === '/openapi/v3')
    return json(
      200,
      remembered(all, 'v3', () => index(all)),
    );
  const place = path.startsWith('/openapi/v3/') ? path.slice('/openapi/v3/'.length) : '';
  const own = all.filter(facts => placeOf(facts) === place);
  if (own.length === 0 && !otherPlaces(all).includes(place)) return undefined;
  return json(
    200,
    remembered(all, place, () => (own.length > 0 ? editionThree(own) : editionOfPath(place))),
  );
}

function remembered(all: readonly ServedFacts[], name: string, make: () => Document): Document {
  const known = documents.get(all) ?? new Map<string, Document>();
  documents.set(all, known);
  const made = known.get(name) ?? deepFreeze(make());
  known.set(name, made);
  return made;
}

/** `api/v1`, `apis/apps/v1`. */
function placeOf({group, version}: ServedFacts): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Goes up when these documents change though the facts do not: clients keep documents by their hash. */
const EDITION = 1;

/** Where each version's document lies; the hash tells when it is another one. */
function index(all: readonly ServedFacts[]): Document {
  const paths: Record<string, unknown> = {};
  for (const place of [...new Set([...otherPlaces(all), ...all.map(placeOf)])].sort()) {
    const own = all.filter(facts => placeOf(facts) === place);
    const hash = sha256(`${EDITION} ${INFO.version} ${JSON.stringify(own)}`).toUpperCase();
    paths[place] = {serverRelativeURL: `/openapi/v3/${place}?hash=${hash}`};
  }
  return {paths};
}

const SINGLE_PATHS = ['.well-known/openid-configuration', 'api', 'apis', 'openid/v1/jwks', 'version'];

/** Paths with documents of their own that are no version's: groups, and what the server says of itself. */
function otherPlaces(all: readonly ServedFacts[]): readonly string[] {
  return [...SINGLE_PATHS, ...all.filter(({group}) => group !== '').map(({group}) => `apis/${group}`)];
}

function editionOfPath(place: string): Document {
  return {
    openapi: '3.0.0',
    info: INFO,
    paths: {[`/${place}/`]: {get: {responses: {'200': {description: 'OK'}}}}},
    components: {},
  };
}

function editionThree(all: readonly ServedFacts[]): Document {
  const schemas = schemasOf(all, '#/components/schemas/');
  return {openapi: '3.0.0', info: INFO, paths: pathsOf(all, true), components: {schemas}};
}

function editionTwo(all: readonly ServedFacts[]): Document {
  return {swagger: '2.0', info: INFO, paths: pathsOf(all, false), definitions: schemasOf(all, '#/definitions/')};
}

/** The types of these resources and all that they are made of. */
function schemasOf(all: readonly ServedFacts[], prefix: string): Document {
  const found = new Map<string, unknown>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.set(name, undefined);
    found.set(name, typeNode(schemaOf(name), {prefix, visit}));
  };
  if (all.some(({custom}) => custom)) REFERRED.forEach(visit);
  for (const facts of all) for (const [name, type] of customTypes(facts, prefix)) found.set(name, type);
  visit('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  for (const {group, version, kind} of all) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    for (const each of [kind, `${kind}List`]) {
      const type = typeOfKind(apiVersion, each);
      if (type !== undefined) visit(type);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Walk {
  readonly prefix: string;
  readonly visit: (name: string) => void;
}

function typeNode(schema: Schema, walk: Walk): Document {
  const kinds = schema['group-version-kind'];
  return {...node(schema, walk), ...(kinds ? {'x-kubernetes-group-version-kind': kinds} : {})};
}

const EXTENSIONS = ['list-type', 'list-map-keys', 'map-type', 'patch-strategy', 'patch-merge-key'] as const;

function node(schema: Schema, walk: Walk): Document {
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
    out['properties'] = Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, node(field, walk)]));
  if (schema.items) out['items'] = node(schema.items, walk);
  if (schema.values) out['additionalProperties'] = node(schema.values, walk);
  for (const name of EXTENSIONS) if (schema[name] !== undefined) out[`x-kubernetes-${name}`] = schema[name];
  return out;
}

const WRITES = ['dryRun', 'fieldManager', 'fieldValidation'];
const READS = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'watch',
];

interface Operation {
  readonly method: string;
  readonly action: string;
  readonly verb: string;
  readonly parameters: readonly string[];
}

const ON_ALL: readonly Operation[] = [
  {method: 'get', action: 'list', verb: 'list', parameters: READS},
  {method: 'post', action: 'post', verb: 'create', parameters: WRITES},
  {
    method: 'delete',
    action: 'deletecollection',
    verb: 'deletecollection',
    parameters: [...READS, 'propagationPolicy', 'gracePeriodSeconds'],
  },
];
const ON_ONE: readonly Operation[] = [
  {method: 'get', action: 'get', verb: 'get', parameters: []},
  {method: 'put', action: 'put', verb: 'update', parameters: WRITES},
  {method: 'patch', action: 'patch', verb: 'patch', parameters: [...WRITES, 'force']},
  {method: 'delete', action: 'delete', verb: 'delete', parameters: ['dryRun', 'gracePeriodSeconds', 'propagationPolicy']},
];

function pathsOf(all: readonly ServedFacts[], third: boolean): Document {
  const paths: Record<string, unknown> = {};
  for (const facts of all) {
    const {resource, namespaced, group, version, kind, verbs} = facts;
    const gvk = {group, kind, version};
    const base = `/${placeOf(facts)}/${namespaced ? `namespaces/{namespace}/${resource}` : resource}`;
    const add = (path: string, operations: readonly Operation[], can: readonly string[]) => {
      const allowed = operations.filter(each => can.includes(each.verb));
      if (allowed.length > 0) paths[path] = Object.fromEntries(allowed.map(each => [each.method, operation(each, gvk, third)]));
    };
    add(base, ON_ALL, verbs);
    add(`${base}/{name}`, ON_ONE, verbs);
    for (const sub of facts.subresources) {
      const [subKind = '', subVersion = version, subGroup = group] = sub.kind.split('/').reverse();
      const own = {group: subGroup, kind: subKind, version: subVersion};
      const allowed = ON_ONE.filter(each => sub.verbs.includes(each.verb));
      if (allowed.length > 0)
        paths[`${base}/{name}/${sub.name}`] = Object.fromEntries(allowed.map(each => [each.method, operation(each, own, third)]));
    }
  }
  return paths;
}

const WHOLE_NUMBERS = new Set(['limit', 'timeoutSeconds', 'gracePeriodSeconds']);
const FLAGS = new Set(['watch', 'force']);

function operation({action, parameters}: Operation, gvk: Document, third: boolean): Document {
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    parameters: parameters.map(name => {
      const schema = {type: WHOLE_NUMBERS.has(name) ? 'integer' : FLAGS.has(name) ? 'boolean' : 'string', uniqueItems: true};
      return third ? {name, in: 'query', schema} : {name, in: 'query', ...schema};
    }),
    responses: {'200': {description: 'OK'}},
  };
}
