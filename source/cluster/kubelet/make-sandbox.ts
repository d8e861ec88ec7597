// A pod's sandbox, as the kubelet gets it from the runtime, and what it says when there is none.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {RuntimeClass} from '../../api/kinds/node-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {isCriError, type CriError, type SandboxStatus} from '../../api/wire/cri.ts';
import {get} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';
import {rpcError} from './runtime-client.ts';
import {sandboxConfig} from './sandbox-config.ts';
import {tell, type KubeletParts} from './surroundings.ts';

const runtimeClasses = builtin('node.k8s.io', 'runtimeclasses');

/** Makes one; undefined when it cannot be had, which has been told. */
export function* makeSandbox(parts: KubeletParts, pod: Pod, attempt: number): Task<SandboxStatus | undefined> {
  const {runtimeClassName} = pod.spec;
  const handler = runtimeClassName ? yield* handlerOf(parts, runtimeClassName) : undefined;
  const config = {...sandboxConfig(pod, attempt, parts), ...(handler === undefined ? {} : {runtimeHandler: handler})};
  const made = (yield parts.runtime.begin({kind: 'run-sandbox', config})) as SandboxStatus | CriError;
  if (!isCriError(made)) return made;
  const why = rpcError(made);
  parts.runtime.note('RunPodSandbox', made);
  tell(parts, pod, {type: 'Warning', reason: 'FailedCreatePodSandBox', message: `Failed to create pod sandbox: ${why}`});
  const line = `"Failed to create sandbox for pod" err=${JSON.stringify(why)} pod="${keyOf(pod)}"`;
  parts.daemon.print(`E kuberuntime_sandbox.go:71] ${line}`);
  return undefined;
}

function* handlerOf({client}: KubeletParts, name: string): Task<string | undefined> {
  const found = yield* client.ask<RuntimeClass>(get(runtimeClasses, {name}));
  return found.ok ? found.value.handler : undefined;
}
