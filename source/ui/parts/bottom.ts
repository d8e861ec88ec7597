// The two rows at the bottom: the newest warning (or what the game has to say), and the keys that work now.
import {keyHelp} from '../keys/key-help.ts';
import {cut} from '../text/width.ts';
import type {Theme} from '../text/theme.ts';
import type {KeyHelp} from '../keys/key-help.ts';
import type {PartView} from './view.ts';

const LESSONS = {
  enter: 'Enter runs the line. The first command is typed: press Enter. (Esc s: skip)',
  tab: 'Tab completes. Type kubectl describe pod w and press Tab. (Esc s: skip)',
  escape: 'Esc leaves the terminal to look around: o objects, p path; Esc comes back.',
} as const;

export function eventLine({state, theme, width}: PartView): string {
  if (state.notice !== undefined) return cut(` ${theme.yellow(state.notice)}`, width);
  if (state.lesson && state.phase === 'playing') return cut(` ${theme.cyan(LESSONS[state.lesson])}`, width);
  if (state.hintOffered) return cut(` ${theme.cyan('Stuck? Esc, then h, shows what a hint costs.')}`, width);
  const {staleSeconds, warning} = state.panels;
  if (staleSeconds !== undefined)
    return cut(` ${theme.yellow(`the API server has not been heard for ${staleSeconds} s: what you see may be old`)}`, width);
  if (!warning) return '';
  const times = warning.count > 1 ? ` ×${warning.count}` : '';
  return cut(` ${theme.yellow('!')} ${warning.reason}${times} ${warning.object}  ${theme.dim(warning.message)}`, width);
}

export function keyLine({state, theme, width}: PartView): string {
  return keyRow(keyHelp(state), theme, width);
}

/** Keys with their sentences, as many as fit. */
export function keyRow(keys: readonly KeyHelp[], theme: Theme, width: number): string {
  return cut(` ${keys.map(({keys: name, says}) => `${theme.bold(name)} ${says}`).join(' · ')}`, width);
}
