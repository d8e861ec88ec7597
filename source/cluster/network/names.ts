// The two files that decide how a machine or a pod finds addresses: /etc/hosts and /etc/resolv.conf.
//
// A name with fewer dots than `ndots` is first tried with each search domain behind it, then as it is; one with as many or more
// the other way round; one that ends in a dot is tried as it is and no other way. In a pod ndots is 5, so even
// `registry.local` goes through all of `shop.svc.cluster.local`, `svc.cluster.local` and `cluster.local` before.

/** What /etc/resolv.conf says. */
export interface ResolverConfig {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly ndots: number;
  readonly timeoutMs: number;
  readonly attempts: number;
}

const MOST_SERVERS = 3;

/** Reads /etc/resolv.conf. */
export function parseResolvConf(text: string): ResolverConfig {
  const servers: string[] = [];
  let search: readonly string[] = [];
  const options = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [keyword = '', ...words] = line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'nameserver' && words[0] !== undefined) servers.push(words[0]);
    // Of several search or domain lines the last one counts.
    else if (keyword === 'search') search = words.map(withoutDot);
    else if (keyword === 'domain') search = words.slice(0, 1).map(withoutDot);
    else if (keyword === 'options')
      for (const [name = '', value] of words.map(word => word.split(':'))) options.set(name, Number(value));
  }
  return {
    servers: servers.slice(0, MOST_SERVERS),
    search,
    ndots: bounded(options.get('ndots'), 1, 15),
    timeoutMs: bounded(options.get('timeout'), 5, 30) * 1000,
    attempts: bounded(options.get('attempts'), 2, 5),
  };
}

function bounded(value: number | undefined, fallback: number, most: number): number {
  return value === undefined || !Number.isInteger(value) || value < 0 ? fallback : Math.min(value, most);
}

function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Reads /etc/hosts: the first address of each name. */
export function parseHosts(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (!address || !isAddress(address)) continue;
    for (const alias of aliases) if (!names.has(alias.toLowerCase())) names.set(alias.toLowerCase(), address);
  }
  return names;
}

/** The absolute names to ask for, in order. */
export function candidates(name: string, {search, ndots}: ResolverConfig): readonly string[] {
  const lower = name.toLowerCase();
  if (lower.endsWith('.')) return [lower.slice(0, -1)];
  const dots = lower.split('.').length - 1;
  const searched = search.map(domain => `${lower}.${domain}`);
  return dots >= ndots ? [lower, ...searched] : [...searched, lower];
}

const ZERO = 48;
const NINE = 57;

/** Is it an IPv4 address? */
export function isAddress(text: string): boolean {
  const first = text.charCodeAt(0);
  if (!(first >= ZERO && first <= NINE)) return false;
  const parts = text.split('.');
  return parts.length === 4 && parts.every(part => /^\d{1,3}$/.test(part) && Number(part) < 256);
}
