// Who is who. A member's id comes from its peer URLs and the cluster's token (and, for one that was added later, the second
// it was added in); the cluster's id from the ids of its first members. So all who start with the same list agree, and a
// member that was set up with another list is a stranger.
import {sha1} from './sha1.ts';

/** The token that kubeadm leaves alone. */
export const DEFAULT_TOKEN = 'etcd-cluster';

/** The id of a member; `addedSecond` (seconds since 1970) for one that joins a running cluster. */
export function memberId(peerUrls: readonly string[], token: string, addedSecond?: number): string {
  const text = [...peerUrls].sort().join('') + token + (addedSecond === undefined ? '' : String(addedSecond));
  return shorten(sha1(new TextEncoder().encode(text)));
}

/** The id of the cluster that these members found. */
export function clusterId(memberIds: readonly string[]): string {
  const bytes = memberIds
    .map(id => id.padStart(16, '0'))
    .sort()
    .flatMap(id => id.match(/../g) ?? [])
    .map(pair => Number.parseInt(pair, 16));
  return shorten(sha1(new Uint8Array(bytes)));
}

// The first eight bytes as a number, printed as etcd does: without leading zeros.
function shorten(digest: string): string {
  return digest.slice(0, 16).replace(/^0+(?=.)/, '');
}

/** A member of an `--initial-cluster`. */
export interface Seed {
  readonly name: string;
  readonly peerUrls: readonly string[];
}

/** Takes `cp-1=https://10.0.0.11:2380,cp-2=...` apart; a name may come more than once, with one URL each time. */
export function parseInitialCluster(text: string): Seed[] {
  const urls = new Map<string, string[]>();
  for (const part of text.split(',').filter(Boolean)) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    urls.set(name, [...(urls.get(name) ?? []), part.slice(at + 1).trim()]);
  }
  return [...urls].map(([name, peerUrls]) => ({name, peerUrls}));
}

/** The host and port of a URL; undefined for what is none. */
export function hostAndPort(url: string): {host: string; port: number} | undefined {
  const match = /^https?:\/\/(\[[^\]]+\]|[^:/]+):(\d+)\/?$/.exec(url);
  const [, host, port] = match ?? [];
  return host && port ? {host, port: Number(port)} : undefined;
}
