// In which order a server prints the fields of an object, and under which numbers they travel in protobuf: facts of the structs behind
// the API's types, read off them by test/facts/go-fields.go.
import facts from '../data/go-fields.json' with {type: 'json'};

/** A field of a struct. */
export interface GoField {
  /** As in JSON; empty for a struct whose fields stand in its place. */
  readonly name: string;
  readonly number: number;
  /** An empty value is not an absent one. */
  readonly pointer: boolean;
  /** The type of a struct that stands in its place. */
  readonly inlined: string | undefined;
}

const TEXTS = facts as Readonly<Record<string, string>>;
const known = new Map<string, readonly GoField[]>();
const orders = new Map<string, readonly string[]>();

/** The fields of a type by its long name, in the struct's order; none for a type that is no struct. */
export function goFields(type: string): readonly GoField[] {
  const made = known.get(type) ?? (TEXTS[type] ?? '').split(' ').filter(Boolean).map(readField);
  known.set(type, made);
  return made;
}

function readField(word: string): GoField {
  const [name = '', number] = word.split('=');
  const pointer = name.endsWith('*');
  const plain = pointer ? name.slice(0, -1) : name;
  const inlined = plain.startsWith('+') ? plain.slice(1) : undefined;
  return {name: inlined === undefined ? plain : '', number: Number(number), pointer, inlined};
}

/** The names of a type's fields in the order in which they are printed. */
export function printOrder(type: string): readonly string[] {
  const made =
    orders.get(type) ?? goFields(type).flatMap(({name, inlined}) => (inlined === undefined ? [name] : printOrder(inlined)));
  orders.set(type, made);
  return made;
}
