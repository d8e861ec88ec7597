// The scale of an autoscaler's target, of whatever kind it is.
import type {Scale} from '../../../api/kinds/autoscaling-v1.ts';
import type {HorizontalPodAutoscaler} from '../../../api/kinds/autoscaling-v2.ts';
import type {Status} from '../../../api/kinds/meta.ts';
import {splitApiVersion, type Resource} from '../../../api/meta/object.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import type {Client} from '../../../client/client.ts';
import {get} from '../../../client/verbs.ts';
import type {Task} from '../../../sim/task.ts';

/** A scale, and of what it is. */
export interface Found {
  readonly scale: Scale;
  readonly resource: Resource;
}

/** Asks for the scale, or says why there is none. */
export function* findScale(client: Client, {metadata, spec}: HorizontalPodAutoscaler): Task<Found | {readonly error: string}> {
  const {apiVersion = 'v1', kind, name} = spec.scaleTargetRef;
  const resource = resourceOfKind(apiVersion, kind) ?? (yield* discover(client, apiVersion, kind));
  if (!resource) {
    const {group} = splitApiVersion(apiVersion);
    return {error: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`};
  }
  const place = {namespace: metadata.namespace, name, subresource: 'scale'};
  const result = yield* client.ask<Scale>(get(resource, place));
  return result.ok ? {scale: result.value, resource} : {error: wordsOf(result.status)};
}

function wordsOf({message, code}: Status): string {
  return message && message !== '' ? message : `the server responded with the status code ${code}`;
}

interface ResourceList {
  readonly resources: readonly {readonly name: string; readonly kind: string; readonly namespaced: boolean}[];
}

/** A kind that the server does not know from birth. */
function* discover(client: Client, apiVersion: string, kind: string): Task<Resource | undefined> {
  const result = yield* client.ask<ResourceList>({method: 'GET', path: `/apis/${apiVersion}`});
  const found = result.ok ? result.value.resources.find(each => each.kind === kind && !each.name.includes('/')) : undefined;
  return found && {...splitApiVersion(apiVersion), resource: found.name, kind, namespaced: found.namespaced};
}
