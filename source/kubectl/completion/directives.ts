// What an answer says to the shell besides its words: whether a space follows, whether files may be offered instead.

/** The shell does as it likes: files where no word fits. */
export const DEFAULT = 0;
/** No space is put behind the only word. */
export const NO_SPACE = 2;
/** No files are offered. */
export const NO_FILES = 4;
/** The words are the endings of files, which are offered. */
export const FILES_ENDING = 8;

const NAMES: readonly (readonly [number, string])[] = [
  [NO_SPACE, 'ShellCompDirectiveNoSpace'],
  [NO_FILES, 'ShellCompDirectiveNoFileComp'],
  [FILES_ENDING, 'ShellCompDirectiveFilterFileExt'],
];

/** The names of what a directive holds. */
export function directiveText(directive: number): string {
  const names = NAMES.filter(([bit]) => (directive & bit) !== 0).map(([, name]) => name);
  return names.length > 0 ? names.join(', ') : 'ShellCompDirectiveDefault';
}
