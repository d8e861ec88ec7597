// The paths of a version, for clients that check what they send: of each operation its kind and its parameters.
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

/** What may be done where; written as the third edition wants it, or the second. */
export function pathsOf(all: readonly ServedFacts[], third: boolean): Document {
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
