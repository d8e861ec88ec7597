// The flags that name the first members must agree with each other.
import type {Seed} from './identity.ts';

/** The part of the flags that says who one is. */
export interface OwnFlags {
  readonly name: string;
  readonly initialAdvertisePeerUrls: readonly string[];
}

/** Why `--initial-cluster` does not fit the other flags, in etcd's words. */
export function refuseSeeds({name, initialAdvertisePeerUrls}: OwnFlags, seeds: readonly Seed[]): string | undefined {
  const own = seeds.find(seed => seed.name === name);
  if (!own) return `couldn't find local name "${name}" in the initial cluster configuration`;
  const named = [...own.peerUrls].sort();
  const advertised = [...initialAdvertisePeerUrls].sort();
  if (named.join() === advertised.join()) return undefined;
  const missing = named.filter(url => !advertised.includes(url));
  const flag = `--initial-advertise-peer-urls=${advertised.join()}`;
  const resolved = `(resolved urls: "${advertised.find(url => !named.includes(url)) ?? ''}" != "${missing[0] ?? ''}")`;
  return `--initial-cluster has ${missing.map(url => `${own.name}=${url}`).join()} but missing from ${flag} ${resolved}`;
}
