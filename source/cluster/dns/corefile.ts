// The Corefile: blocks of zones with directives, each with words on its line and maybe a block of its own.
//
//     .:53 {
//         errors
//         kubernetes cluster.local in-addr.arpa ip6.arpa {
//            pods insecure
//         }
//         forward . /etc/resolv.conf
//     }
//
// A directive that CoreDNS does not have ends it with the line and the word; it starts no further than that.

/** One directive of a server block. */
export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  /** The lines of its own block. */
  readonly block: readonly (readonly string[])[];
  readonly line: number;
}

/** A server: its zones (without port, `.` for all), and what it does. */
export interface ServerBlock {
  readonly zones: readonly string[];
  readonly port: number;
  readonly directives: readonly Directive[];
}

/** Directives that CoreDNS has. */
const KNOWN = new Set(
  (
    'acl any auto autopath azure bind bufsize cache cancel chaos clouddns debug dns64 dnssec dnstap erratic errors etcd file forward ' +
    'geoip grpc grpc_server header health hosts https https3 import k8s_external kubernetes loadbalance local log loop metadata ' +
    'minimal multisocket nomad nsid pprof prometheus quic ready reload rewrite root route53 secondary sign template timeouts tls ' +
    'trace transfer transferer tsig view whoami'
  ).split(' '),
);

interface Token {
  readonly text: string;
  readonly line: number;
}

/** Reads a Corefile, or says what is wrong with it. */
export function parseCorefile(text: string, path: string): readonly ServerBlock[] | {readonly error: string} {
  const lines = text.split('\n').map((line, index) => ({line: index + 1, words: wordsOf(line)}));
  const tokens = lines
    .filter(each => each.words.length > 0)
    .map(({line, words}) => words.map((word): Token => ({text: word, line})));
  const servers: ServerBlock[] = [];
  const fail = (line: number, words: string) => ({error: `${path}:${line} - Error during parsing: ${words}`});
  for (let at = 0; at < tokens.length;) {
    const head = tokens[at] ?? [];
    const [first] = head;
    if (head.at(-1)?.text !== '{') return fail(first?.line ?? 1, `Unexpected token '${first?.text}', expecting '{'`);
    const {directives, next, error} = readBlock(tokens, at + 1);
    if (error) return fail(error.line, error.words);
    const zones = head.slice(0, -1).map(token => token.text.replace(/,$/, ''));
    servers.push({zones: zones.map(zoneOf), port: portOf(zones[0] ?? ''), directives});
    at = next;
  }
  return servers;
}

function wordsOf(line: string): readonly string[] {
  return (line.replace(/(^|\s)#.*$/, '').match(/"[^"]*"|\S+/g) ?? []).map(word => word.replace(/^"(.*)"$/, '$1'));
}

function zoneOf(address: string): string {
  const zone = address
    .replace(/^dns:\/\//, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return zone === '' ? '.' : zone;
}

function portOf(address: string): number {
  return Number(/:(\d+)$/.exec(address)?.[1] ?? 53);
}

interface Block {
  readonly directives: readonly Directive[];
  readonly next: number;
  readonly error?: {readonly line: number; readonly words: string};
}

function readBlock(lines: readonly (readonly Token[])[], from: number): Block {
  const directives: Directive[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const [first, ...rest] = lines[at] ?? [];
    if (!first) continue;
    if (first.text === '}') return {directives, next: at + 1};
    if (!KNOWN.has(first.text))
      return {directives, next: at, error: {line: first.line, words: `Unknown directive '${first.text}'`}};
    const block: (readonly string[])[] = [];
    const opens = rest.at(-1)?.text === '{';
    if (opens)
      for (at++; at < lines.length && lines[at]?.[0]?.text !== '}'; at++) block.push((lines[at] ?? []).map(token => token.text));
    const words = (opens ? rest.slice(0, -1) : rest).map(token => token.text);
    directives.push({name: first.text, words, block, line: first.line});
  }
  const last = lines.at(-1)?.at(-1);
  return {directives, next: at, error: {line: last?.line ?? 1, words: `Unexpected EOF, expecting '}'`}};
}
