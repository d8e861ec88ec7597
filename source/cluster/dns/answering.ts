// Answering a question: by the cluster's names where the name is in a zone of theirs, else by a server further up.
import {DNS_PORT, isDnsAnswer, isDnsQuery, type DnsAnswer, type DnsQuery, type DnsRecord} from '../../api/wire/dns.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import {wait, type Task} from '../../sim/task.ts';
import {findRecords, type ClusterNames, type Found, type ZoneOptions} from './records.ts';

/** What one server block does with questions. */
export interface Service {
  /** Zones of the cluster's names; empty when the block has none. */
  readonly zones: readonly ZoneOptions[];
  readonly names: ClusterNames;
  /** Have the names been seen at all? Until then nobody can tell what is not there. */
  readonly isSynced: () => boolean;
  /** Names with fixed addresses. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Servers that are asked for everything else, by turns. */
  readonly upstream: readonly string[];
  /** Writes a line for each question. */
  readonly log: boolean;
}

const UPSTREAM_MS = 2000;
const UPSTREAM_TRIES = 2;
const HOSTS_TTL = 3600;

/** Takes questions on a port. False when the port is taken. */
export function answerQuestions(daemon: Daemon, port: number, serviceFor: (name: string) => Service | undefined): boolean {
  return daemon.listen(port, (call: Call) => {
    const {request} = call;
    if (!isDnsQuery(request)) {
      call.end('reset');
      return;
    }
    const service = serviceFor(request.name);
    if (!service) {
      call.answer(refusal('REFUSED'));
      return;
    }
    daemon.scope.run(answer(daemon, service, request), result => {
      if (service.log)
        daemon.print(
          `[INFO] ${call.from}:0 - 0 "${request.type} IN ${request.name}. udp 0 false 512" ${result.code} qr,rd,ra 0 0s`,
        );
      call.answer(result);
    });
  });
}

function refusal(code: DnsAnswer['code'], authoritative = false): DnsAnswer {
  return {kind: 'dns', code, authoritative, records: []};
}

function* answer(daemon: Daemon, service: Service, query: DnsQuery): Task<DnsAnswer> {
  const fixed = service.hosts.get(query.name);
  if (fixed !== undefined && query.type === 'A') return given([{name: query.name, type: 'A', ttl: HOSTS_TTL, data: fixed}]);
  const options = service.zones.find(({zone}) => query.name === zone || query.name.endsWith(`.${zone}`));
  if (!options) return yield* askUpstream(daemon, service, query);
  if (!service.isSynced()) return refusal('SERVFAIL');
  const found = findRecords(query.name, query.type, {names: service.names, options});
  if (!found) return refusal('NXDOMAIN', true);
  return yield* followAlias(daemon, service, {query, found: shuffled(found, daemon)});
}

function given(records: readonly DnsRecord[]): DnsAnswer {
  return {kind: 'dns', code: 'NOERROR', authoritative: true, records};
}

/** An ExternalName is an alias; whoever asks for an address gets that of the other name too, where it has one. */
function* followAlias(
  daemon: Daemon,
  service: Service,
  {query, found}: {readonly query: DnsQuery; readonly found: readonly DnsRecord[]},
): Task<DnsAnswer> {
  const [first] = found;
  if (first?.type !== 'CNAME' || query.type === 'CNAME' || first.data === query.name) return given(found);
  const target = yield* answer(daemon, service, {...query, name: first.data});
  return given([first, ...target.records]);
}

/** Records in turning order, so that callers who take the first one are shared out. */
function shuffled(found: NonNullable<Found>, daemon: Daemon): readonly DnsRecord[] {
  if (found.length < 2) return found;
  const from = daemon.dice.below(found.length);
  return [...found.slice(from), ...found.slice(0, from)];
}

function* askUpstream(daemon: Daemon, {upstream}: Service, query: DnsQuery): Task<DnsAnswer> {
  const first = upstream.length > 1 ? daemon.dice.below(upstream.length) : 0;
  for (let tries = 0; tries < UPSTREAM_TRIES * Math.min(1, upstream.length); tries++) {
    const server = upstream[(first + tries) % upstream.length] ?? '';
    const outcome = yield* askOne(daemon, server, query);
    if (typeof outcome !== 'string') return outcome;
    daemon.print(`[ERROR] plugin/errors: 2 ${query.name}. ${query.type}: read udp 0.0.0.0:0->${server}:${DNS_PORT}: ${outcome}`);
  }
  return refusal('SERVFAIL');
}

function* askOne(daemon: Daemon, server: string, query: DnsQuery): Task<DnsAnswer | string> {
  return yield* wait<DnsAnswer | string>(wake => {
    const caller = daemon.dial(server, DNS_PORT, query, {
      answer: result => settle(isDnsAnswer(result) ? result : 'bad message'),
      end: () => settle('connection refused'),
    });
    const timer = daemon.scope.after(UPSTREAM_MS, () => {
      caller.cancel();
      settle('i/o timeout');
    });
    const settle = (outcome: DnsAnswer | string) => {
      daemon.clock.cancel(timer);
      wake(outcome);
    };
  });
}
