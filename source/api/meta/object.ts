// What every API object has in common.
import type {ObjectMeta, OwnerReference, Status} from '../kinds/meta.ts';

/** Any stored API object, frozen. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Any object, with the parts that most kinds have, for code that works on all kinds. */
export interface AnyObject extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

/** An object that is not stored yet: the server fills in what is missing. */
export type Draft<T extends KubeObject> = Omit<T, 'metadata' | 'status'> & {
  readonly metadata: Partial<ObjectMeta>;
  readonly status?: T extends {readonly status?: infer S} ? S : never;
};

/** A resource, as a path names it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower-case. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly kind: string;
}

/** `namespace/name`, or the name alone. */
export function keyOf(object: KubeObject): string {
  const {namespace, name} = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** Takes a key apart again. */
export function splitKey(key: string): {namespace: string | undefined; name: string} {
  const at = key.indexOf('/');
  return at < 0 ? {namespace: undefined, name: key} : {namespace: key.slice(0, at), name: key.slice(at + 1)};
}

/** The owner reference with `controller: true`. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  const {ownerReferences} = object.metadata;
  if (ownerReferences) for (const owner of ownerReferences) if (owner.controller === true) return owner;
  return undefined;
}

/** Freezes a value and all that it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** The group and version of an `apiVersion`. */
export function splitApiVersion(apiVersion: string): {group: string; version: string} {
  const at = apiVersion.indexOf('/');
  return at < 0 ? {group: '', version: apiVersion} : {group: apiVersion.slice(0, at), version: apiVersion.slice(at + 1)};
}

/** The path under which the API server serves a resource, a namespace's share of it, or one object. */
export function pathOf(resource: Resource, namespace?: string, name?: string, subresource?: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace && resource.namespaced ? `/namespaces/${namespace}` : '';
  const all = `${root}${scope}/${resource.resource}`;
  const one = name === undefined ? all : `${all}/${name}`;
  return subresource === undefined ? one : `${one}/${subresource}`;
}

/** Is this the body of a failure? */
export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as {kind?: unknown}).kind === 'Status';
}
