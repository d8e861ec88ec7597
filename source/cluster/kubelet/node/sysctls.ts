// Kernel settings that a pod asks for: some are safe, since they are a pod's own and harm no neighbour; any other has to be allowed by
// the node's configuration.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {SAFE_SYSCTLS} from '../../../api/meta/sysctls.ts';
import type {Rejection} from './admission.ts';

/** Why a pod may not have the settings that it wants. */
export function forbiddenSysctl({spec}: Pod, allowed: readonly string[]): Rejection | undefined {
  for (const {name} of spec.securityContext?.sysctls ?? []) {
    const dotted = name.replaceAll('/', '.');
    const why = whyNot(dotted, allowed, spec);
    if (why) return {reason: 'SysctlForbidden', message: `forbidden sysctl: ${why}`};
  }
  return undefined;
}

function whyNot(name: string, allowed: readonly string[], {hostNetwork, hostIPC}: Pod['spec']): string | undefined {
  const isAllowed =
    SAFE_SYSCTLS.has(name) || allowed.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));
  if (!isAllowed) return `"${name}" not allowlisted`;
  if (name.startsWith('net.')) return hostNetwork ? `sysctl "${name}" not allowed with host net enabled` : undefined;
  return hostIPC ? `sysctl "${name}" not allowed with host ipc enabled` : undefined;
}
