// What expressions about requests may name: the object as it is to be and as it was, the request, parameters, the namespace, the
// authorizer, and (in policies) variables that the policy defines itself, each of which may use those before it.
import type {Variable} from '../kinds/admissionregistration-v1.ts';
import {type Compiled, compileExpression} from './expression.ts';
import type {Variables} from './environment.ts';
import {typeNamed} from './signatures.ts';
import {builtinType} from './schema-types.ts';
import {BOOL, type CelType, DYN, listOf, mapOf, objectOf, STRING} from './types.ts';

const KIND = objectOf('kubernetes.GroupVersionKind', {group: STRING, version: STRING, kind: STRING});
const RESOURCE = objectOf('kubernetes.GroupVersionResource', {group: STRING, version: STRING, resource: STRING});
const USER = objectOf('kubernetes.UserInfo', {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});
const REQUEST = objectOf('kubernetes.AdmissionRequest', {
  uid: STRING,
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
});

/** The parts of a policy that decide what its expressions see. */
export interface Seen {
  readonly hasParams: boolean;
  /** The type of `object` and `oldObject`; anything where it is not known. */
  readonly object?: CelType;
  readonly params?: CelType;
}

const plain = new Map<string, Variables>();

/** The names of match conditions, and of policies before their own variables. */
export function admissionVariables({hasParams, object = DYN, params = DYN}: Seen): Variables {
  const made: Variables = {
    object,
    oldObject: object,
    request: REQUEST,
    namespaceObject: builtinType('io.k8s.api.core.v1.Namespace'),
    authorizer: typeNamed('authorizer'),
    'authorizer.requestResource': typeNamed('resource'),
    ...(hasParams ? {params} : {}),
  };
  if (object !== DYN || params !== DYN) return made;
  const known = plain.get(String(hasParams)) ?? made;
  plain.set(String(hasParams), known);
  return known;
}

/** The match conditions of a policy. */
export function conditionVariables(hasParams: boolean): Variables {
  return admissionVariables({hasParams});
}

/** A variable of a policy's own. */
export interface CompiledVariable {
  readonly name: string;
  readonly compiled: Compiled;
}

/** Compiles the variables of a policy in their order, and gives what the expressions after them see. */
export function compileVariables(
  listed: readonly Variable[],
  base: Variables,
): {all: readonly CompiledVariable[]; seen: Variables} {
  const types: Record<string, CelType> = {};
  const all: CompiledVariable[] = [];
  let seen = withOwn(base, types);
  for (const {name, expression} of listed) {
    const compiled = compileExpression(expression, seen);
    all.push({name, compiled});
    types[name] = 'error' in compiled ? DYN : compiled.expression.type;
    seen = withOwn(base, types);
  }
  return {all, seen};
}

function withOwn(base: Variables, types: Readonly<Record<string, CelType>>): Variables {
  return Object.freeze({...base, variables: objectOf('kubernetes.variables', {...types})});
}
