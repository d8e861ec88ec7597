// Functions are declared by a line that reads like a call: `string.startsWith(string): bool`, `size(list<A>): int`. Single capitals
// stand for any type, the same one wherever they stand.
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  param,
  STRING,
  TIMESTAMP,
  typeOfType,
  UINT,
} from './types.ts';

/** One way to call a function. */
export interface Overload {
  /** The receiver first, where there is one. */
  readonly args: readonly CelType[];
  readonly isMember: boolean;
  readonly result: CelType;
  readonly run: (...args: never[]) => unknown;
}

export type Functions = ReadonlyMap<string, readonly Overload[]>;
export type Declaration = readonly [signature: string, run: (...args: never[]) => unknown];

const KNOWN: Readonly<Record<string, CelType>> = {
  dyn: DYN,
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  timestamp: TIMESTAMP,
  duration: DURATION,
  url: opaque('kubernetes.URL'),
  quantity: opaque('kubernetes.Quantity'),
  ip: opaque('net.IP'),
  cidr: opaque('net.CIDR'),
  semver: opaque('kubernetes.Semver'),
  format: opaque('kubernetes.NamedFormat'),
  authorizer: opaque('kubernetes.authorization.Authorizer'),
  path: opaque('kubernetes.authorization.PathCheck'),
  group: opaque('kubernetes.authorization.GroupCheck'),
  resource: opaque('kubernetes.authorization.ResourceCheck'),
  decision: opaque('kubernetes.authorization.Decision'),
};

/** The type of a word in a signature. */
export function typeNamed(text: string): CelType {
  const generic = /^(\w+)<(.*)>$/.exec(text);
  if (generic) {
    const [first = '', second = ''] = splitArgs(generic[2] ?? '');
    if (generic[1] === 'map') return mapOf(typeNamed(first), typeNamed(second));
    if (generic[1] === 'optional') return optionalOf(typeNamed(first));
    return generic[1] === 'type' ? typeOfType(typeNamed(first)) : listOf(typeNamed(first));
  }
  if (/^[A-Z]$/.test(text)) return param(text);
  const known = KNOWN[text];
  if (!known) throw new Error(`broken invariant: no type ${text} in CEL`);
  return known;
}

function splitArgs(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '<') depth++;
    if (text[i] === '>') depth--;
    if (i < text.length && (text[i] !== ',' || depth > 0)) continue;
    const part = text.slice(from, i).trim();
    if (part !== '') parts.push(part);
    from = i + 1;
  }
  return parts;
}

/** Puts declarations into one table, by name. A name with a dot in front of it (`string.`) has a receiver; `::` joins a name of two words. */
export function functionsOf(...lists: readonly (readonly Declaration[])[]): Functions {
  const table = new Map<string, Overload[]>();
  for (const [signature, run] of lists.flat()) {
    const found = /^(?:([\w<>, ]+)\.)?([^\s(.]+)\((.*)\): (\S.*)$/.exec(signature);
    if (!found) throw new Error(`broken invariant: a signature of CEL reads ${signature}`);
    const [, receiver, name = '', args = '', result = ''] = found;
    const types = splitArgs(args).map(typeNamed);
    const overload: Overload = {
      isMember: receiver !== undefined,
      args: receiver === undefined ? types : [typeNamed(receiver), ...types],
      result: typeNamed(result),
      run,
    };
    const key = name.replace('::', '.');
    table.set(key, [...(table.get(key) ?? []), overload]);
  }
  return table;
}
