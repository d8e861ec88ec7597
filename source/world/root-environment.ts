// The environment of root on a node, with what a level adds for some machines.
import type {PlayerDescription} from './description.ts';

/** Patterns of machines' names may have stars. */
type HostEnvironment = PlayerDescription['hostEnvironment'];

/** On a machine. */
export function rootEnvironment(host: string, added: HostEnvironment): ReadonlyMap<string, string> {
  return new Map([
    ['HOME', '/root'],
    ['USER', 'root'],
    ['SHELL', '/bin/bash'],
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', host],
    ['KUBECONFIG', '/etc/kubernetes/admin.conf'],
    ['LANG', 'C.UTF-8'],
    ['EDITOR', 'vi'],
    ...variablesOf(host, added),
  ]);
}

function variablesOf(host: string, added: HostEnvironment = {}): [string, string][] {
  return Object.entries(added).flatMap(([pattern, variables]) => {
    const regex = new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    return regex.test(host) ? Object.entries(variables) : [];
  });
}
