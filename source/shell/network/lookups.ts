// `nslookup`, `dig`, `getent hosts`: questions to name servers.
import type {DnsAnswer, RecordType} from '../../api/wire/dns.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {complain} from '../programs/output.ts';
import {askServers, candidatesOf, isAddress, lookUp, resolverOf} from './names.ts';
import type {Resolver} from './names.ts';

const NO_RESOLVER: Resolver = {servers: [], search: [], dots: 1, timeoutMs: 5000, attempts: 2};
const TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'SRV', 'PTR', 'TXT', 'NS', 'SOA', 'MX']);

async function withServer(process: Process, server: string | undefined): Promise<Resolver> {
  const resolver = resolverOf(process) ?? NO_RESOLVER;
  if (server === undefined) return resolver;
  const found = await lookUp(process, server);
  return {...resolver, servers: [found.kind === 'found' ? (found.addresses[0] ?? server) : server]};
}

/** `nslookup [-type=A] name [server]` */
export const nslookup: Program = process => askNames(process, '#');
/** The same, as busybox writes it. */
export const busyboxNslookup: Program = process => askNames(process, ':');

async function askNames(process: Process, beforePort: string): Promise<number> {
  const args = process.argv.slice(1);
  const type = (args.map(arg => /^-(?:query|type|q)=(\w+)$/.exec(arg)?.[1]).find(Boolean) ?? 'A').toUpperCase();
  const [name, server] = args.filter(arg => !arg.startsWith('-'));
  if (name === undefined) return complain(process, 'Usage: nslookup [-type=TYPE] HOST [SERVER]');
  const resolver = await withServer(process, server);
  const [address] = resolver.servers;
  if (address === undefined) return complain(process, ';; connection timed out; no servers could be reached\n');
  const isReverse = isAddress(name);
  const asked = isReverse ? [`${name.split('.').reverse().join('.')}.in-addr.arpa`] : candidatesOf(name, resolver);
  const found = await firstAnswer(process, asked, {resolver, type: isReverse ? 'PTR' : (type as RecordType)});
  if (found === 'silent') {
    await process.out(';; connection timed out; no servers could be reached\n\n\n');
    return 1;
  }
  await process.out(`Server:\t\t${address}\nAddress:\t${address}${beforePort}53\n\n`);
  const {answer, name: owner} = found;
  if (answer.code !== 'NOERROR') {
    await process.out(`** server can't find ${isReverse ? owner : name}: ${answer.code}\n\n`);
    return 1;
  }
  await process.out(`${recordLines(answer, owner, type)}\n`);
  return 0;
}

/** `nslookup` of busybox up to 1.28: names as its C library finds them, and what each address is called. */
export const smallNslookup: Program = async process => {
  const [name, server] = process.argv.slice(1).filter(arg => !arg.startsWith('-'));
  if (name === undefined) return complain(process, 'Usage: nslookup [HOST] [SERVER]');
  const resolver = await withServer(process, server);
  const [own = ''] = resolver.servers;
  const named = async (address: string): Promise<string> => {
    const reverse = `${address.split('.').reverse().join('.')}.in-addr.arpa`;
    const answer = await askServers(process, {name: reverse, type: 'PTR', resolver, withinMs: Infinity});
    const [record] = answer === 'silent' ? [] : answer.records;
    return record ? `${address} ${record.data}` : address;
  };
  await process.out(`Server:    ${own}\nAddress 1: ${await named(own)}\n\n`);
  const found = isAddress(name) ? {kind: 'found' as const, addresses: [name]} : await lookUp(process, name);
  if (found.kind !== 'found') return complain(process, `nslookup: can't resolve '${name}'`);
  const lines: string[] = [];
  for (const [at, address] of found.addresses.entries()) lines.push(`Address ${at + 1}: ${await named(address)}\n`);
  await process.out(`Name:      ${name}\n${lines.join('')}`);
  return 0;
};

function recordLines(answer: DnsAnswer, owner: string, type: string): string {
  if (answer.records.length === 0) return `*** Can't find ${owner}: No answer\n`;
  const lines = answer.records.map(record => {
    if (record.type === 'A' || record.type === 'AAAA') return `Name:\t${record.name}\nAddress: ${record.data}\n`;
    if (record.type === 'CNAME') return `${record.name}\tcanonical name = ${record.data}.\n`;
    if (record.type === 'PTR') return `${record.name}\tname = ${record.data}.\n`;
    return `${record.name}\t${type === 'SRV' ? 'service' : 'text'} = ${record.data}\n`;
  });
  return lines.join('');
}

interface Asking {
  readonly resolver: Resolver;
  readonly type: RecordType;
}

/** Asks for one name after the other until one is there. */
async function firstAnswer(
  process: Process,
  names: readonly string[],
  {resolver, type}: Asking,
): Promise<{answer: DnsAnswer; name: string} | 'silent'> {
  let last: {answer: DnsAnswer; name: string} | 'silent' = 'silent';
  for (const name of names) {
    const answer = await askServers(process, {name, type, resolver, withinMs: Infinity});
    if (answer === 'silent') return 'silent';
    last = {answer, name};
    if (answer.code === 'NOERROR' && answer.records.length > 0) return last;
    if (answer.code === 'SERVFAIL' || answer.code === 'REFUSED') return last;
  }
  return last;
}

/** `dig [@server] [+short] [+search] name [type]` */
export const dig: Program = async process => {
  const args = process.argv.slice(1);
  const server = args.find(arg => arg.startsWith('@'))?.slice(1);
  const flags = new Set(args.filter(arg => arg.startsWith('+')));
  const words = args.filter(arg => !/^[@+-]/.test(arg));
  const type = (words.find(word => TYPES.has(word.toUpperCase())) ?? 'A').toUpperCase() as RecordType;
  const name = words.find(word => !TYPES.has(word.toUpperCase()) && word.toUpperCase() !== 'IN') ?? '.';
  const resolver = await withServer(process, server);
  const began = process.kernel.clock.now;
  const names = flags.has('+search') ? candidatesOf(name, resolver) : [name.toLowerCase().replace(/\.$/, '')];
  const found = await firstAnswer(process, names, {resolver, type});
  if (found === 'silent') {
    await process.out(
      `${resolver.servers.map(each => `;; communications error to ${each}#53: timed out\n`).join('')}\n; <<>> DiG 9.18 <<>> ${args.join(' ')}\n;; no servers could be reached\n`,
    );
    return 9;
  }
  const {answer, name: owner} = found;
  if (flags.has('+short')) {
    await process.out(
      answer.records.map(record => `${record.data}${record.type === 'A' || record.type === 'TXT' ? '' : '.'}\n`).join(''),
    );
    return 0;
  }
  const rows = answer.records
    .map(record => `${record.name}.\t${record.ttl}\tIN\t${record.type}\t${record.data}${record.type === 'CNAME' ? '.' : ''}\n`)
    .join('');
  const flagsText = `qr ${answer.authoritative ? 'aa ' : ''}rd ra`;
  const id = (process.pid * 7919 + Math.floor(began)) % 65_536;
  await process.out(
    `\n; <<>> DiG 9.18 <<>> ${args.join(' ')}\n;; global options: +cmd\n;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${answer.code}, id: ${id}\n` +
      `;; flags: ${flagsText}; QUERY: 1, ANSWER: ${answer.records.length}, AUTHORITY: 0, ADDITIONAL: 1\n\n;; QUESTION SECTION:\n;${owner}.\t\tIN\t${type}\n\n` +
      `${rows === '' ? '' : `;; ANSWER SECTION:\n${rows}\n`};; Query time: ${Math.round(process.kernel.clock.now - began)} msec\n;; SERVER: ${resolver.servers[0] ?? ''}#53(${resolver.servers[0] ?? ''}) (UDP)\n\n`,
  );
  return 0;
};

/** `getent hosts name` */
export const getent: Program = async process => {
  const [database, name] = process.argv.slice(1);
  if (database !== 'hosts' && database !== 'ahosts' && database !== 'ahostsv4')
    return complain(
      process,
      `Unknown database: ${database ?? ''}\nTry \`getent --help' or \`getent --usage' for more information.`,
    );
  if (name === undefined) {
    await process.out(process.machine.files.read('/etc/hosts') ?? '');
    return 0;
  }
  const found = await lookUp(process, name);
  if (found.kind !== 'found') return 2;
  for (const address of found.addresses) await process.out(`${address.padEnd(16)}${found.name}\n`);
  return 0;
};

/** Used by `ping` and `nc`: the first address of a name. */
export async function addressOf(process: Process, name: string): Promise<string | undefined> {
  const found = await lookUp(process, name);
  if (found.kind === 'asIs') return name;
  return found.kind === 'found' ? found.addresses[0] : undefined;
}
