// The names and addresses of the world outside of the cluster's own DNS.
import type {Host} from './host.ts';

/** Names of machines by name, as /etc/hosts or the site's DNS would have them. */
export type Names = ReadonlyMap<string, string>;

/** The address of a name; an address stands for itself. */
export function addressOf(names: Names, name: string): string | undefined {
  return /^\d+\.\d+\.\d+\.\d+$/.test(name) || name.startsWith('/') ? name : names.get(name);
}

/** All machines' names. */
export function namesOf(hosts: Iterable<Host>, more: readonly (readonly [string, string])[]): Names {
  return new Map([...[...hosts].map(host => [host.name, host.address] as const), ...more]);
}
