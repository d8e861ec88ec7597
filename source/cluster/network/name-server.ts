// A small name server for the names of a site: machines, registries, the world outside. It knows a fixed list and nothing else.
import {DNS_PORT, isDnsQuery, type DnsAnswer} from '../../api/wire/dns.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';

const TTL_SECONDS = 300;

/** Answers questions for addresses from a list, on the daemon's machine. The list may change while it runs. */
export function startNameServer(daemon: Daemon, names: ReadonlyMap<string, string>): void {
  daemon.listen(DNS_PORT, (call: Call) => {
    const {request} = call;
    if (!isDnsQuery(request)) {
      call.end('reset');
      return;
    }
    const address = names.get(request.name);
    const answer: DnsAnswer = {
      kind: 'dns',
      code: address === undefined ? 'NXDOMAIN' : 'NOERROR',
      authoritative: true,
      records:
        address !== undefined && request.type === 'A' ? [{name: request.name, type: 'A', ttl: TTL_SECONDS, data: address}] : [],
    };
    call.answer(answer);
  });
}
