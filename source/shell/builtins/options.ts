// Options of builtins: single letters, joined or not, up to the first argument that is none.

/** What was given: letters with the value of those that take one, and the arguments that are left. */
export interface Given {
  readonly letters: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  /** An option that is unknown, as `-x`, or that lacks its value. */
  readonly wrong: {readonly option: string; readonly words: string} | undefined;
}

/** Reads options. In `known` a colon behind a letter means that it takes a value. */
export function readOptions(args: readonly string[], known: string, signs = '-'): Given {
  const letters = new Set<string>();
  const values = new Map<string, string>();
  let at = 0;
  for (; at < args.length; at++) {
    const option = args[at] ?? '';
    if (option === '--') {
      at++;
      break;
    }
    if (option.length < 2 || !signs.includes(option[0] ?? '')) break;
    for (let index = 1; index < option.length; index++) {
      const letter = option[index] ?? '';
      const place = letter === ':' ? -1 : known.indexOf(letter);
      if (place < 0) return {letters, values, rest: [], wrong: {option: `-${letter}`, words: 'invalid option'}};
      letters.add(option.startsWith('+') ? `+${letter}` : letter);
      if (known[place + 1] !== ':') continue;
      const value = index + 1 < option.length ? option.slice(index + 1) : args[++at];
      if (value === undefined)
        return {letters, values, rest: [], wrong: {option: `-${letter}`, words: 'option requires an argument'}};
      values.set(letter, value);
      break;
    }
  }
  return {letters, values, rest: args.slice(at), wrong: undefined};
}
