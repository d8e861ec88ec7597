// Names of fields as expressions write them: what is no identifier of CEL is written in a form that is one.

const RESERVED = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
const WORDS: Readonly<Record<string, string>> = {__: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__'};
const BACK = new Map(Object.entries(WORDS).map(([sign, word]) => [word, sign]));

/** A field's name in an expression. */
export function celName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[.\-/]/g, sign => WORDS[sign] ?? sign);
}

/** The field that a name in an expression means. */
export function fieldName(name: string): string {
  const reserved = /^__(\w+)__$/.exec(name)?.[1];
  if (reserved !== undefined && RESERVED.has(reserved)) return reserved;
  return name.replaceAll(/__(?:underscores|dot|dash|slash)__/g, word => BACK.get(word) ?? word);
}

/** May it be a name in CEL? */
export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
}
