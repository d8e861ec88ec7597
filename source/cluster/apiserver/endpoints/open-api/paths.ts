// The paths of a version, for clients that check what they send: of each operation its kind and its parameters,
// and in the third edition its name, what goes in and what comes out.
import {PARAMETERS, proseOf} from '../../../../api/schema/descriptions.ts';
import {typeOfKind} from '../../../../api/schema/index.ts';
import type {ServedFacts} from '../../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

/** `api/v1`, `apis/apps/v1`. */
export function placeOf({group, version}: ServedFacts): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
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
  /** The beginnings of its name and of what it does. */
  readonly id: string;
  readonly does: string;
}

const ON_ALL: readonly Operation[] = [
  {method: 'get', action: 'list', verb: 'list', parameters: READS, id: 'list', does: 'list or watch objects of kind'},
  {method: 'post', action: 'post', verb: 'create', parameters: WRITES, id: 'create', does: 'create a'},
  {
    method: 'delete',
    action: 'deletecollection',
    verb: 'deletecollection',
    parameters: [...READS, 'propagationPolicy', 'gracePeriodSeconds'],
    id: 'delete',
    does: 'delete collection of',
  },
];
const ON_ONE: readonly Operation[] = [
  {method: 'get', action: 'get', verb: 'get', parameters: [], id: 'read', does: 'read the specified'},
  {method: 'put', action: 'put', verb: 'update', parameters: WRITES, id: 'replace', does: 'replace the specified'},
  {
    method: 'patch',
    action: 'patch',
    verb: 'patch',
    parameters: [...WRITES, 'force'],
    id: 'patch',
    does: 'partially update the specified',
  },
  {
    method: 'delete',
    action: 'delete',
    verb: 'delete',
    parameters: ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'],
    id: 'delete',
    does: 'delete a',
  },
];

/** What may be done where; written as the third edition wants it, or the second. */
export function pathsOf(all: readonly ServedFacts[], third: boolean): Document {
  const paths: Record<string, unknown> = {};
  for (const facts of all) {
    const {resource, namespaced, group, version, kind, verbs} = facts;
    const base = `/${placeOf(facts)}/${namespaced ? `namespaces/{namespace}/${resource}` : resource}`;
    const add = (
      path: string,
      operations: readonly Operation[],
      {can, ...subject}: Subject & {readonly can: readonly string[]},
    ) => {
      const allowed = operations.filter(each => can.includes(each.verb));
      if (allowed.length === 0) return;
      const written = allowed.map(each => [
        each.method,
        third ? operationThree(each, subject) : operation(each, subject.gvk, false),
      ]);
      paths[path] = Object.fromEntries(written);
    };
    const whole = {facts, gvk: {group, kind, version}, sub: '', can: verbs};
    add(base, ON_ALL, whole);
    add(`${base}/{name}`, ON_ONE, whole);
    for (const {name, kind: named, verbs: can} of facts.subresources) {
      const [subKind = '', subVersion = version, subGroup = group] = named.split('/').reverse();
      add(`${base}/{name}/${name}`, ON_ONE, {facts, gvk: {group: subGroup, kind: subKind, version: subVersion}, sub: name, can});
    }
  }
  return paths;
}

/** What an operation is about. */
interface Subject {
  readonly facts: ServedFacts;
  /** Of what goes in and comes out. */
  readonly gvk: {readonly group: string; readonly kind: string; readonly version: string};
  readonly sub: string;
}

const WHOLE_NUMBERS = new Set(['limit', 'timeoutSeconds', 'gracePeriodSeconds']);
const FLAGS = new Set(['watch', 'force']);

function operation({action, parameters}: Operation, gvk: Document, third: boolean): Document {
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    parameters: parameters.map(name => (third ? {name, in: 'query', schema: typeOf(name)} : {$ref: `#/parameters/${name}`})),
    responses: {'200': {description: 'OK'}},
  };
}

function typeOf(name: string): Document {
  return {type: WHOLE_NUMBERS.has(name) ? 'integer' : FLAGS.has(name) ? 'boolean' : 'string', uniqueItems: true};
}

/** All words of queries, once, as the second edition has them. */
export function queryWords(): Document {
  const prose = proseOf(PARAMETERS)?.fields ?? {};
  const names = [...ON_ALL, ...ON_ONE].flatMap(({parameters}) => parameters);
  const described = (name: string) => (prose[name] === undefined ? {} : {description: prose[name]});
  return Object.fromEntries(names.toSorted().map(name => [name, {name, in: 'query', ...described(name), ...typeOf(name)}]));
}

/** An operation by its name, with what goes in and what comes out. */
function operationThree(what: Operation, {facts, gvk, sub}: Subject): Document {
  const {kind, namespaced, version} = facts;
  const words = groupWords(facts.group);
  const group = words.map(capital).join('');
  const scope = `${what.verb === 'deletecollection' ? 'Collection' : ''}${namespaced ? 'Namespaced' : ''}`;
  const comes = what.verb.startsWith('delete') ? STATUS : what.verb === 'list' ? {...gvk, kind: `${gvk.kind}List`} : gvk;
  const goes = what.verb === 'create' || what.verb === 'update' ? {requestBody: {...contentOf(gvk), required: true}} : {};
  const done = {description: 'OK', ...contentOf(comes)};
  return {
    tags: [`${words.map((word, n) => (n === 0 ? word : capital(word))).join('')}_${version}`],
    description:
      sub === '' ? `${what.does} ${kind}` : `${what.does.replace(/ (a|the specified)$/, '')} ${sub} of the specified ${kind}`,
    operationId: `${what.id}${group}${capital(version)}${scope}${kind}${sub.split('/').map(capital).join('')}`,
    ...operation(what, gvk, true),
    ...goes,
    responses: {
      '200': done,
      ...(what.verb === 'create' ? {'201': {...done, description: 'Created'}} : {}),
      '401': {description: 'Unauthorized'},
    },
  };
}

const STATUS = {group: '', version: 'v1', kind: 'Status'};

/** `rbac.authorization.k8s.io`: rbac, authorization. */
function groupWords(group: string): readonly string[] {
  return group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split('.');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function contentOf({group, version, kind}: Subject['gvk']): Document {
  const type = typeOfKind(group === '' ? version : `${group}/${version}`, kind);
  return type === undefined ? {} : {content: {'application/json': {schema: {$ref: `#/components/schemas/${type}`}}}};
}
