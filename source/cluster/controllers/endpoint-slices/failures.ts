// What is said of slices that could not be written.
import type {Result} from '../../../client/client.ts';
import {isNamespaceTerminating} from '../send-all.ts';
import type {SlicePlan} from './plan.ts';

/** The first failure in the order in which a plan is sent; undefined where there was none, or none that counts. */
export function sliceFailure(results: readonly Result<unknown>[], plan: SlicePlan, service: string): string | undefined {
  const {create, update, remove} = plan;
  for (const [index, result] of results.entries()) {
    if (result.ok) continue;
    const {message = ''} = result.status;
    if (index < create.length) {
      if (isNamespaceTerminating(result.status)) return undefined;
      return `failed to create EndpointSlice for Service ${service}: ${message}`;
    }
    const changed = update[index - create.length]?.slice;
    const removed = remove[index - create.length - update.length];
    if (removed && result.status.code === 404) continue;
    const words = changed ? `update ${changed.metadata.name}` : `delete ${removed?.metadata.name}`;
    return `failed to ${words} EndpointSlice for Service ${service}: ${message}`;
  }
  return undefined;
}

/** Several complaints as one, as Go's aggregate words them. */
export function aggregate(errors: readonly string[]): string {
  const different = [...new Set(errors)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
