// Requests that go out together.
import type {Status} from '../../api/kinds/meta.ts';
import type {Request} from '../../api/wire/http.ts';
import type {Client, Result} from '../../client/client.ts';
import {wait, type Task} from '../../sim/task.ts';

/** Sends all at once and waits for the last answer; results in the order of the requests. */
export function* sendAll<T>(client: Client, requests: readonly Request[]): Task<readonly Result<T>[]> {
  if (requests.length === 0) return [];
  return yield* wait<readonly Result<T>[]>(wake => {
    const results: Result<T>[] = [];
    let left = requests.length;
    for (const [index, request] of requests.entries()) {
      client.send<T>(request, result => {
        results[index] = result;
        if (--left === 0) wake(results);
      });
    }
  });
}

/** Was it refused because the namespace is on its way out? Trying again would be in vain. */
export function isNamespaceTerminating(status: Status): boolean {
  return status.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating') === true;
}

/** The words of the first failure; undefined when all went well. */
export function firstFailure(results: readonly Result<unknown>[]): Status | undefined {
  for (const result of results) if (!result.ok) return result.status;
  return undefined;
}
