// What a pod asks for after the start and before the stop of a container: a command, a request, a sleep. Why one failed is told in
// the status of the container alone: it may hold secrets, so the events do not repeat it.
import type {Container, EphemeralContainer, HTTPGetAction, LifecycleHandler, Pod} from '../../../api/kinds/core-v1.ts';
import {goQuote} from '../../../api/meta/go-text.ts';
import {isCriError, type ExecResult} from '../../../api/wire/cri.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import {httpGet, PLAIN_ANSWER, portNumber} from './probe-attempt.ts';
import {rpcError} from '../runtime-client.ts';
import {podText, tell, type KubeletParts} from '../surroundings.ts';

const HOOK_TIMEOUT_MS = 60_000;

export interface HookFacts {
  readonly handler: LifecycleHandler;
  readonly container: Container | EphemeralContainer;
  readonly id: string;
  readonly podIP: string;
}

/** Runs a hook; why it failed. */
export function* runHook(parts: KubeletParts, pod: Pod, facts: HookFacts): Task<string | undefined> {
  const {handler, container} = facts;
  const whose = `for Container ${JSON.stringify(container.name)} in Pod ${JSON.stringify(podText(pod))} failed - error:`;
  if (handler.sleep) yield* sleep((handler.sleep.seconds ?? 0) * 1000);
  else if (handler.exec) {
    const command = handler.exec.command ?? [];
    const failed = yield* runCommand(parts, command, facts.id);
    return failed && `Exec lifecycle hook ([${command.join(' ')}]) ${whose} ${failed.error}, message: ${goQuote(failed.output)}`;
  } else if (handler.httpGet) {
    const error = yield* request(parts, pod, handler.httpGet, facts);
    return error && `HTTP lifecycle hook (${handler.httpGet.path ?? ''}) ${whose} ${error}`;
  }
  return undefined;
}

function* runCommand(
  {runtime}: KubeletParts,
  command: readonly string[],
  id: string,
): Task<{readonly error: string; readonly output: string} | undefined> {
  const result = yield* runtime.ask<ExecResult>({kind: 'exec-sync', id, command, timeoutSeconds: 0});
  if (isCriError(result)) return {error: rpcError(result), output: ''};
  const {exitCode, output, errors} = result;
  return exitCode === 0 ? undefined : {error: `command '${command.join(' ')}' exited with ${exitCode}: ${errors}`, output};
}

/** Any answer is a good one. Who is asked for TLS and cannot speak it is asked again without. */
function* request(parts: KubeletParts, pod: Pod, action: HTTPGetAction, {container, podIP}: HookFacts): Task<string | undefined> {
  const port = portNumber(container, action.port);
  if (typeof port === 'string') return port;
  const host = action.host || podIP;
  const first = yield* httpGet(parts.daemon, {action, host, port, timeoutMs: HOOK_TIMEOUT_MS});
  if (typeof first === 'object' || !first.endsWith(PLAIN_ANSWER)) return typeof first === 'string' ? first : undefined;
  const again = yield* httpGet(parts.daemon, {action: {...action, scheme: 'HTTP'}, host, port, timeoutMs: HOOK_TIMEOUT_MS});
  if (typeof again === 'string') return first;
  const message = `request to HTTPS lifecycle hook ${host}:${port} got HTTP response, retry with HTTP succeeded`;
  tell(parts, pod, {type: 'Warning', reason: 'LifecycleHTTPFallback', message});
  return undefined;
}
