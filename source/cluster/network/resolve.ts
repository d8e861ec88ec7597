// Finding the addresses of a name, as a C library does: /etc/hosts, then each candidate name at the name servers. A server that
// does not answer costs five seconds, then the next one is asked, all of them twice; one that refuses the packet costs nothing.
// A name that is not there leads to the next candidate; a server that fails (SERVFAIL) or is silent ends the search, since
// nobody can tell then what is there.
import {DNS_PORT, isDnsAnswer, type DnsAnswer, type DnsQuery} from '../../api/wire/dns.ts';
import type {Clock} from '../../sim/clock.ts';
import type {Caller, Receiver} from '../../sim/network.ts';
import {candidates, type ResolverConfig} from './names.ts';

/** How a question is sent to a name server. */
export type Ask = (server: string, port: number, query: DnsQuery, receiver: Receiver) => Caller;

export interface ResolveOptions {
  readonly clock: Clock;
  readonly config: ResolverConfig;
  readonly ask: Ask;
}

/** A search that can be given up. */
export interface Search {
  cancel(): void;
}

const MOST_ALIASES = 8;

/** Looks a name up; `done` hears the addresses, none when it cannot be resolved. */
export function resolve(name: string, options: ResolveOptions, done: (addresses: readonly string[]) => void): Search {
  const names = candidates(name, options.config);
  let current: Search | undefined;
  const next = (index: number): void => {
    const candidate = names[index];
    if (candidate === undefined) return done([]);
    current = askServers(candidate, options, answer => {
      const addresses = answer ? addressesIn(answer, candidate) : [];
      if (addresses.length > 0 || !answer || answer.code === 'SERVFAIL' || answer.code === 'REFUSED') done(addresses);
      else next(index + 1);
    });
  };
  next(0);
  return {cancel: () => current?.cancel()};
}

/** The addresses of a name in an answer, through aliases. */
function addressesIn({records}: DnsAnswer, name: string): readonly string[] {
  let owner = name;
  for (let hops = 0; hops < MOST_ALIASES; hops++) {
    const current = owner;
    const addresses = records.filter(record => record.type === 'A' && record.name === current).map(record => record.data);
    if (addresses.length > 0) return addresses;
    const alias = records.find(record => record.type === 'CNAME' && record.name === current);
    if (!alias) return [];
    owner = alias.data;
  }
  return [];
}

/** Asks one server after the other until one answers. */
function askServers(name: string, {clock, config, ask}: ResolveOptions, done: (answer: DnsAnswer | undefined) => void): Search {
  const {servers, attempts, timeoutMs} = config;
  const query: DnsQuery = {kind: 'dns', name, type: 'A'};
  let caller: Caller | undefined;
  let timer: ReturnType<Clock['after']> | undefined;
  let turn = 0;
  const stop = () => {
    clock.cancel(timer);
    caller?.cancel();
  };
  const attempt = (): void => {
    const server = servers[turn % servers.length];
    if (server === undefined || turn >= servers.length * attempts) return done(undefined);
    const mine = ++turn;
    const settle = (then: () => void) => {
      if (mine !== turn) return;
      stop();
      then();
    };
    timer = clock.after(timeoutMs, () => settle(attempt));
    caller = ask(server, DNS_PORT, query, {
      answer: answer => settle(() => (isDnsAnswer(answer) ? done(answer) : attempt())),
      end: () => settle(attempt),
    });
  };
  attempt();
  return {
    cancel: () => {
      turn = Infinity;
      stop();
    },
  };
}
