// How a program finds the address of a name: /etc/hosts, then the servers of /etc/resolv.conf, with its search list. It does so
// itself, as libc does, so that `curl` knows whether it waits for a name or for a connection.
import {DNS_PORT, isDnsAnswer} from '../../api/wire/dns.ts';
import type {DnsAnswer, DnsQuery, DnsRecord, RecordType} from '../../api/wire/dns.ts';
import type {Process} from '../../sim/process/process.ts';

/** Addresses; or: nobody is called so, no server answered, time ran out. `asIs`: the machine itself must find the name. */
export type Lookup =
  | {readonly kind: 'found'; readonly addresses: readonly string[]; readonly name: string}
  | {readonly kind: 'unknown' | 'silent' | 'late' | 'asIs'};

/** What /etc/resolv.conf says. */
export interface Resolver {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly dots: number;
  readonly timeoutMs: number;
  readonly attempts: number;
}

/** Is it an address and no name? */
export function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || text.includes(':');
}

/** Reads the resolver's file; undefined where there is none. */
export function resolverOf(process: Process): Resolver | undefined {
  const text = process.machine.files.read('/etc/resolv.conf');
  if (text === undefined) return undefined;
  const servers: string[] = [];
  let search: string[] = [];
  const options = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'nameserver' && words[0] !== undefined) servers.push(words[0]);
    if (keyword === 'search' || keyword === 'domain') search = words.map(word => word.replace(/\.$/, ''));
    if (keyword === 'options') for (const word of words) options.set(word.split(':')[0] ?? '', Number(word.split(':')[1] ?? 1));
  }
  return {
    servers: servers.slice(0, 3),
    search,
    dots: options.get('ndots') ?? 1,
    timeoutMs: (options.get('timeout') ?? 5) * 1000,
    attempts: options.get('attempts') ?? 2,
  };
}

/** The names to ask for, in order. */
export function candidatesOf(name: string, {search, dots}: Resolver): readonly string[] {
  const lower = name.toLowerCase();
  if (lower.endsWith('.')) return [lower.slice(0, -1)];
  const longer = search.map(domain => `${lower}.${domain}`);
  return lower.split('.').length - 1 >= dots ? [lower, ...longer] : [...longer, lower];
}

/** Finds the addresses of a name, in no more than so many milliseconds. */
export async function lookUp(process: Process, name: string, withinMs = Infinity): Promise<Lookup> {
  if (isAddress(name)) return {kind: 'found', addresses: [name], name};
  const fixed = hostsOf(process).get(name.toLowerCase());
  if (fixed !== undefined) return {kind: 'found', addresses: [fixed], name};
  if (name.toLowerCase() === 'localhost') return {kind: 'found', addresses: ['127.0.0.1'], name};
  const resolver = resolverOf(process);
  if (!resolver || resolver.servers.length === 0) return {kind: 'asIs'};
  const {clock} = process.kernel;
  const end = clock.now + withinMs;
  for (const candidate of candidatesOf(name, resolver)) {
    const answer = await askServers(process, {name: candidate, type: 'A', resolver, withinMs: end - clock.now});
    if (answer === 'silent') return {kind: clock.now >= end ? 'late' : 'silent'};
    const found = addressesIn(answer.records, candidate);
    if (found.addresses.length > 0) return {kind: 'found', ...found};
    if (answer.code === 'SERVFAIL' || answer.code === 'REFUSED') return {kind: 'unknown'};
  }
  return {kind: 'unknown'};
}

function hostsOf(process: Process): Map<string, string> {
  const hosts = new Map<string, string>();
  for (const line of (process.machine.files.read('/etc/hosts') ?? '').split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!address || address.includes(':')) continue;
    for (const name of names) if (!hosts.has(name.toLowerCase())) hosts.set(name.toLowerCase(), address);
  }
  return hosts;
}

/** One question to the servers. */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
  readonly resolver: Resolver;
  readonly withinMs: number;
}

/** Asks one server after the other, as often as the resolver's file says; 'silent' when none answers. */
export async function askServers(process: Process, question: Question): Promise<DnsAnswer | 'silent'> {
  const {name, type, resolver, withinMs} = question;
  const {clock} = process.kernel;
  const end = clock.now + withinMs;
  const query: DnsQuery = {kind: 'dns', name, type};
  for (let attempt = 0; attempt < resolver.attempts; attempt++) {
    for (const server of resolver.servers) {
      const left = Math.min(resolver.timeoutMs, end - clock.now);
      if (left <= 0) return 'silent';
      const reply = await process.call<unknown>(server, DNS_PORT, query, left);
      if (reply.ok && isDnsAnswer(reply.answer)) return reply.answer;
    }
  }
  return 'silent';
}

/** The addresses of a name in an answer, through its aliases, and the name that has them. */
export function addressesIn(records: readonly DnsRecord[], name: string): {addresses: readonly string[]; name: string} {
  let owner = name;
  for (let hops = 0; hops < 8; hops++) {
    const current = owner;
    const addresses = records.filter(record => record.type === 'A' && record.name === current).map(record => record.data);
    const alias = records.find(record => record.type === 'CNAME' && record.name === current);
    if (addresses.length > 0 || !alias) return {addresses, name: owner};
    owner = alias.data;
  }
  return {addresses: [], name: owner};
}
