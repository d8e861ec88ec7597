// Whether the name of a mirror leads anywhere, as a package manager asks before it fetches.
import type {DnsAnswer} from '../../api/wire/dns.ts';
import {DNS_PORT, isDnsAnswer} from '../../api/wire/dns.ts';
import type {Process} from '../../sim/process/process.ts';

/** The address of a host by the machine's name servers; undefined when nobody knows it. */
export async function lookUpHost(process: Process, host: string): Promise<string | undefined> {
  const servers = (process.machine.files.read('/etc/resolv.conf') ?? '').matchAll(/^\s*nameserver\s+(\S+)/gm);
  for (const [, server = ''] of servers) {
    const reply = await process.call<DnsAnswer>(server, DNS_PORT, {kind: 'dns', name: host, type: 'A'}, 5000);
    if (!reply.ok || !isDnsAnswer(reply.answer)) continue;
    return reply.answer.records.find(record => record.type === 'A')?.data;
  }
  return undefined;
}
