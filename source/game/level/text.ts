// From the text of a file to a YAML document, with the guards that a file of a stranger needs: size, depth, and aliases that
// multiply. What is wrong is told with file, line, column, the line itself and a caret.
import {isAlias, isCollection, isMap, isPair, LineCounter, parseDocument, visit, type Document, type Node} from 'yaml';
import {Place, type Fault, type Reader} from './reader.ts';

const LARGEST = 1024 * 1024;
const DEEPEST = 60;
const MOST_ALIASED_NODES = 20_000;
const MOST_FAULTS = 10;

/** A value, or all that is wrong with the text, each as a block of lines to print. */
export type Read<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly problems: readonly string[]};

/** Reads a text as one YAML document of a known shape. */
export function readText<T>(text: string, file: string, read: Reader<T>): Read<T> {
  if (text.length > LARGEST)
    return {ok: false, problems: [`${file}: the file has ${(text.length / LARGEST).toFixed(1)} MiB; a level has at most 1 MiB`]};
  const deep = depthOfBrackets(text);
  if (deep !== undefined)
    return {
      ok: false,
      problems: [pointed({from: deep, to: deep + 1, message: `nested more than ${DEEPEST} levels deep`}, text, file)],
    };
  const document = parseDocument(text, {lineCounter: new LineCounter(), prettyErrors: false, uniqueKeys: true, strict: true});
  const broken = document.errors.map(error => ({
    from: error.pos[0],
    to: error.pos[1],
    message: error.message.split('\n')[0] ?? 'this is not YAML',
  }));
  const faults: Fault[] = broken.length > 0 ? broken : guard(document);
  if (faults.length > 0) return failure(faults, text, file);
  const place = new Place(document);
  const value = read(document.contents as Node | null, place);
  if (place.faults.length > 0 || value === undefined)
    return failure(place.faults.length > 0 ? place.faults : [{from: 0, to: 1, message: 'the file is empty'}], text, file);
  return {ok: true, value};
}

function failure(faults: readonly Fault[], text: string, file: string): Read<never> {
  const shown = faults.slice(0, MOST_FAULTS).map(fault => pointed(fault, text, file));
  if (faults.length > MOST_FAULTS) shown.push(`${file}: and ${faults.length - MOST_FAULTS} more`);
  return {ok: false, problems: shown};
}

/** `file:line:column message`, the line, and a caret under the place. */
export function pointed(fault: Fault, text: string, file: string): string {
  const before = text.slice(0, fault.from);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', start);
  const whole = text.slice(start, end < 0 ? undefined : end);
  const column = fault.from - start;
  const window = Math.max(0, column - 60);
  const shown = whole.slice(window, window + 110);
  const carets = '^'.repeat(Math.max(1, Math.min(fault.to - fault.from, shown.length - (column - window))));
  return `${file}:${line}:${column + 1}: ${fault.message}\n    ${shown}\n    ${' '.repeat(column - window)}${carets}`;
}

/** What a well-formed document may still do to its reader: nest without end, or multiply by aliases. */
function guard(document: Document): Fault[] {
  const sizes = new Map<Node, number>();
  let fault: Fault | undefined;
  const measure = (node: unknown, depth: number): number => {
    if (fault) return 0;
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (!target) return 1;
      return sizes.get(target) ?? measure(target, depth + 1);
    }
    if (!isCollection(node)) return 1;
    if (depth > DEEPEST) {
      fault = {from: node.range?.[0] ?? 0, to: (node.range?.[0] ?? 0) + 1, message: `nested more than ${DEEPEST} levels deep`};
      return 0;
    }
    let size = 1;
    for (const item of node.items) size += isPair(item) ? 1 + measure(item.value, depth + 1) : measure(item, depth + 1);
    sizes.set(node as Node, size);
    if (size > MOST_ALIASED_NODES)
      fault ??= {
        from: node.range?.[0] ?? 0,
        to: (node.range?.[0] ?? 0) + 1,
        message: 'aliases make more than 20,000 values of this',
      };
    return size;
  };
  measure(document.contents, 0);
  if (!fault) fault = badKey(document);
  return fault ? [fault] : [];
}

/** Keys must be plain texts, and not the one that JavaScript takes for something else. */
function badKey(document: Document): Fault | undefined {
  let fault: Fault | undefined;
  visit(document, {
    Map(_, map) {
      for (const pair of map.items) {
        const key = isPair(pair) ? (pair.key as Node | null) : null;
        if (isCollection(key) || isMap(key))
          fault ??= {from: key.range?.[0] ?? 0, to: key.range?.[1] ?? 1, message: 'a key must be a text'};
      }
    },
  });
  return fault;
}

/** Where brackets nest too deep for a parser that descends; undefined where they do not. */
function depthOfBrackets(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '[' || letter === '{') depth++;
    else if (letter === ']' || letter === '}') depth = Math.max(0, depth - 1);
    if (depth > 500) return i;
  }
  return undefined;
}
