// The words of openssl's commands: options, some with a value, in the order in which they were typed.

const WITH_VALUE = new Set([
  '-in',
  '-ext',
  '-nameopt',
  '-checkend',
  '-CAfile',
  '-inform',
  '-outform',
  '-out',
  '-CA',
  '-CAkey',
  '-days',
  '-key',
  '-keyout',
  '-subj',
  '-addext',
  '-name',
  '-newkey',
  '-pkeyopt',
  '-algorithm',
  '-config',
  '-req',
]);

/** What was typed after the command. */
export interface Typed {
  readonly options: readonly (readonly [string, string])[];
  readonly words: readonly string[];
}

/** Reads the words after the command. */
export function typed(words: readonly string[]): Typed {
  const options: [string, string][] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) rest.push(word);
    else if (WITH_VALUE.has(word)) options.push([word, words[++i] ?? '']);
    else options.push([word, '']);
  }
  return {options, words: rest};
}

/** The value of an option. */
export function valueOf({options}: Typed, name: string): string | undefined {
  return options.find(([each]) => each === name)?.[1];
}
