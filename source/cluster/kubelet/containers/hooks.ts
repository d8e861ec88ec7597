// What a pod asks for after the start and before the stop of a container: a command, a request, a sleep.
import type {Container, EphemeralContainer, LifecycleHandler} from '../../../api/kinds/core-v1.ts';
import {isCriError, type ExecResult} from '../../../api/wire/cri.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import {httpAttempt, portNumber} from './probe-attempt.ts';
import {rpcError} from '../runtime-client.ts';
import type {KubeletParts} from '../surroundings.ts';

export interface HookFacts {
  readonly handler: LifecycleHandler;
  readonly container: Container | EphemeralContainer;
  readonly id: string;
  readonly podIP: string;
}

/** Runs a hook; why it failed. */
export function* runHook(parts: KubeletParts, {handler, container, id, podIP}: HookFacts): Task<string | undefined> {
  if (handler.sleep) {
    yield* sleep((handler.sleep.seconds ?? 0) * 1000);
    return undefined;
  }
  if (handler.exec) {
    const command = handler.exec.command ?? [];
    const result = yield* parts.runtime.ask<ExecResult>({kind: 'exec-sync', id, command, timeoutSeconds: 0});
    if (isCriError(result)) return rpcError(result);
    const {exitCode, output} = result;
    return exitCode === 0
      ? undefined
      : `Exec lifecycle hook ([${command.join(' ')}]) for Container "${container.name}" failed - error: command '${command.join(' ')}' exited with ${exitCode}: ${output}`;
  }
  if (handler.httpGet) {
    const port = portNumber(container, handler.httpGet.port);
    if (port === undefined) return `couldn't find port: "${handler.httpGet.port}" in container`;
    const outcome = yield* httpAttempt(parts.daemon, {
      action: handler.httpGet,
      host: handler.httpGet.host ?? podIP,
      port,
      timeoutMs: 60_000,
    });
    return outcome.kind === 'success' ? undefined : outcome.output;
  }
  return undefined;
}
