// The requests that clients of the API server make, as values.
import type {DeleteOptions} from '../api/kinds/meta.ts';
import {pathOf, type KubeObject, type Resource} from '../api/meta/object.ts';
import {PATCH_TYPES, type Request} from '../api/wire/http.ts';

/** Which of a resource's objects: selectors in their text form. */
export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  /** `0` allows an answer from the watch cache. */
  readonly resourceVersion?: string;
}

/** Where one object, or one of its subresources, is. */
export interface Place {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly subresource?: string;
}

export function get(resource: Resource, place: Place): Request {
  return {method: 'GET', path: pathOf(resource, place.namespace, place.name, place.subresource)};
}

export function list(resource: Resource, options: ListOptions = {}): Request {
  return {method: 'GET', path: pathOf(resource, options.namespace), query: queryOf(options)};
}

/** A watch from a revision on; frames are `WatchEvent`s. */
export function watch(
  resource: Resource,
  options: ListOptions & {readonly resourceVersion: string; readonly bookmarks?: boolean; readonly timeoutSeconds?: number},
): Request {
  const {bookmarks, timeoutSeconds, ...rest} = options;
  const query: Record<string, string> = {...queryOf(rest), watch: 'true'};
  if (bookmarks) query['allowWatchBookmarks'] = 'true';
  if (timeoutSeconds !== undefined) query['timeoutSeconds'] = String(timeoutSeconds);
  return {method: 'GET', path: pathOf(resource, options.namespace), query};
}

/** Creates an object in the namespace that it names. */
export function create<T extends {readonly metadata: {readonly namespace?: string}}>(
  resource: Resource,
  object: T,
  subresourceOf?: Place,
): Request {
  const {namespace} = object.metadata;
  return {
    method: 'POST',
    path: pathOf(resource, subresourceOf?.namespace ?? namespace, subresourceOf?.name, subresourceOf?.subresource),
    body: object,
  };
}

/** Replaces an object, or its status or another subresource. */
export function update<T extends KubeObject>(resource: Resource, object: T, subresource?: string): Request {
  return {method: 'PUT', path: pathOf(resource, object.metadata.namespace, object.metadata.name, subresource), body: object};
}

export function patch(resource: Resource, place: Place, type: keyof typeof PATCH_TYPES, body: unknown): Request {
  return {
    method: 'PATCH',
    path: pathOf(resource, place.namespace, place.name, place.subresource),
    headers: {'content-type': PATCH_TYPES[type]},
    body,
  };
}

/** Deletes one object. */
export function remove(resource: Resource, place: Place, options?: DeleteOptions): Request {
  return {method: 'DELETE', path: pathOf(resource, place.namespace, place.name), ...(options ? {body: options} : {})};
}

/** Deletes all objects that match. */
export function removeAll(resource: Resource, selection: ListOptions, options?: DeleteOptions): Request {
  return {
    method: 'DELETE',
    path: pathOf(resource, selection.namespace),
    query: queryOf(selection),
    ...(options ? {body: options} : {}),
  };
}

function queryOf(options: ListOptions): Record<string, string> {
  const query: Record<string, string> = {};
  for (const name of ['labelSelector', 'fieldSelector', 'continue', 'resourceVersion'] as const) {
    const value = options[name];
    if (value !== undefined) query[name] = value;
  }
  if (options.limit !== undefined) query['limit'] = String(options.limit);
  return query;
}
