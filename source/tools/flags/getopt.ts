// Command line options as GNU's getopt_long reads them: `-n 5`, `-n5`, `-fu kubelet`, `--lines=5`, `--no-pager`, anywhere among the
// words, until `--`. Long names may be cut short where only one fits.

/** The options that a program has: letters and names with what they stand for, and whether a value follows. */
export interface Options {
  /** Each letter with the long name that it stands for. */
  readonly letters: Readonly<Record<string, string>>;
  /** Every long name: `none`, `needed` or `optional` value. */
  readonly names: Readonly<Record<string, 'none' | 'needed' | 'optional'>>;
}

/** Options from lists of words: letters as `u=unit`, names by what follows them. */
export function optionsOf(lists: {
  readonly letters: string;
  readonly none: string;
  readonly needed: string;
  readonly optional?: string;
}): Options {
  const kinds = (['none', 'needed', 'optional'] as const).flatMap(kind =>
    (lists[kind] ?? '')
      .split(' ')
      .filter(Boolean)
      .map(name => [name, kind] as const),
  );
  const letters = lists.letters.split(' ').map(pair => pair.split('=') as [string, string]);
  return {letters: Object.fromEntries(letters), names: Object.fromEntries(kinds)};
}

export type GetOpt =
  | {readonly ok: true; readonly words: readonly string[]; readonly given: ReadonlyMap<string, readonly string[]>}
  | {readonly ok: false; readonly message: string};

/** Reads the words after the program's name; `program` begins what is said of wrong ones. */
export function getOpt(program: string, argv: readonly string[], options: Options): GetOpt {
  const given = new Map<string, string[]>();
  const words: string[] = [];
  const give = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value]);
  const wrong = (message: string): GetOpt => ({ok: false, message: `${program}: ${message}`});
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (word.startsWith('--')) {
      const [typed, value] = splitOnce(word.slice(2));
      const name = fullName(typed, options);
      const kind = name === undefined ? undefined : options.names[name];
      if (name === undefined || kind === undefined) return wrong(`unrecognized option '--${typed}'`);
      if (kind === 'none' && value !== undefined) return wrong(`option '--${name}' doesn't allow an argument`);
      if (kind === 'needed' && value === undefined && i + 1 >= argv.length)
        return wrong(`option '--${name}' requires an argument`);
      give(name, kind === 'needed' && value === undefined ? (argv[++i] ?? '') : (value ?? ''));
    } else if (word.startsWith('-') && word.length > 1) {
      for (let at = 1; at < word.length; at++) {
        const letter = word[at] ?? '';
        const name = options.letters[letter];
        if (name === undefined) return wrong(`invalid option -- '${letter}'`);
        if (options.names[name] === 'none') {
          give(name, '');
          continue;
        }
        const rest = word.slice(at + 1);
        // A value that may be left out is only ever joined, but for a number that follows.
        const next = argv[i + 1];
        const takesNext = rest === '' && next !== undefined && (options.names[name] === 'needed' || /^\d+$/.test(next));
        if (rest === '' && !takesNext && options.names[name] === 'needed')
          return wrong(`option requires an argument -- '${letter}'`);
        give(name, takesNext ? (argv[++i] ?? '') : rest);
        break;
      }
    } else words.push(word);
  }
  return {ok: true, words, given};
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function fullName(typed: string, {names}: Options): string | undefined {
  if (typed in names) return typed;
  const fitting = Object.keys(names).filter(name => name.startsWith(typed));
  return fitting.length === 1 ? fitting[0] : undefined;
}
