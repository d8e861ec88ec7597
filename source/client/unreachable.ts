// What a client says of a request that nobody answered, in the words of Go's HTTP client: the request, and why.
import type {Request} from '../api/wire/http.ts';
import {requestUri} from '../api/wire/uri.ts';
import type {Failure} from '../sim/network.ts';

/** How a connection comes to nothing; `timeout` when nothing was heard in time. */
export type NoAnswer = Failure | 'timeout';

/** Where a client sends its requests. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** How long it waits at most, as it tells the server; absent: it does not tell. */
  readonly statedTimeoutSeconds?: number | undefined;
}

/** Why there was no answer. */
export function failureWords(failure: NoAnswer, {host, port, statedTimeoutSeconds}: Target): string {
  if (failure === 'timeout' && statedTimeoutSeconds !== undefined)
    return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  return {
    refused: `dial tcp ${host}:${port}: connect: connection refused`,
    reset: `read tcp ${host}:${port}: read: connection reset by peer`,
    closed: 'EOF',
    unresolved: `dial tcp: lookup ${host}: no such host`,
    timeout: `dial tcp ${host}:${port}: i/o timeout`,
  }[failure];
}

/** The whole sentence: `Get "https://10.0.0.10:6443/api/v1/nodes": EOF`. */
export function requestWords(
  {method, path, query = {}}: Request,
  {host, port, statedTimeoutSeconds}: Target,
  why: string,
): string {
  const stated = statedTimeoutSeconds === undefined ? {} : {timeout: `${statedTimeoutSeconds}s`};
  const uri = requestUri(path, {...query, ...stated});
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  return `${verb} "https://${host}:${port}${uri}": ${why}`;
}
