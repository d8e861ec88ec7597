// The parser is just-bash's; it is loaded when the first shell starts, so that the game's first frame does not wait for it.
// Trees are kept by text: a loop's `eval`, a trap and a prompt parse once.
import type {ScriptNode} from './tree.ts';

/** What parsing gives: a tree, or the parser's own words, which only `syntax/check` may turn into bash's. */
export type Parsed = {readonly ok: true; readonly script: ScriptNode} | {readonly ok: false; readonly words: string};

type Parse = (text: string) => ScriptNode;

const KEPT = 500;
const kept = new Map<string, Parsed>();
let parse: Parse | undefined;
let write: ((script: ScriptNode) => string) | undefined;

/** Makes the parser ready. To be awaited once before `parseScript`. */
export async function loadParser(): Promise<void> {
  if (parse) return;
  const loaded = await import('just-bash');
  parse = loaded.parse;
  write = loaded.serialize;
}

/** What writes a tree as text again. */
export function writer(): (script: ScriptNode) => string {
  if (!write) throw new Error('broken invariant: the parser is not loaded');
  return write;
}

/** The tree of a text. */
export function parseScript(text: string): Parsed {
  const known = kept.get(text);
  if (known) return known;
  const parsed = parseAnew(text);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
  kept.set(text, parsed);
  return parsed;
}

function parseAnew(text: string): Parsed {
  if (!parse) throw new Error('broken invariant: the parser is not loaded');
  try {
    return {ok: true, script: parse(text)};
  } catch (failure) {
    return {ok: false, words: failure instanceof Error ? failure.message : String(failure)};
  }
}
