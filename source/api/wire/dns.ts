// DNS as values: what is sent to port 53 and what comes back.

export const DNS_PORT = 53;

/** The texts of the files that a caller finds names by; read anew for each name, as people edit them. */
export interface NameFiles {
  /** /etc/hosts */
  readonly hosts: () => string | undefined;
  /** /etc/resolv.conf */
  readonly resolvConf: () => string | undefined;
}

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'PTR' | 'TXT' | 'NS' | 'SOA' | 'MX';

/** A question. The name is absolute, without its last dot, in lower case. */
export interface DnsQuery {
  readonly kind: 'dns';
  readonly name: string;
  readonly type: RecordType;
}

/** One record; `data` is its text form: an address, a name, `priority weight port target`. */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly ttl: number;
  readonly data: string;
}

/** NOERROR without records: the name is there, but has none of that type. */
export interface DnsAnswer {
  readonly kind: 'dns';
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
  readonly authoritative: boolean;
  readonly records: readonly DnsRecord[];
}

/** Is a request a question to a name server? */
export function isDnsQuery(request: unknown): request is DnsQuery {
  return typeof request === 'object' && request !== null && (request as {kind?: unknown}).kind === 'dns' && 'name' in request;
}

/** Is an answer one of a name server? (A program that speaks HTTP on port 53 answers otherwise.) */
export function isDnsAnswer(answer: unknown): answer is DnsAnswer {
  return typeof answer === 'object' && answer !== null && (answer as {kind?: unknown}).kind === 'dns' && 'code' in answer;
}
