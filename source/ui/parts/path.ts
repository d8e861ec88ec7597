// The way of one object, component by component, each with its last words about it.
import type {Lamp} from '../../game/session/state.ts';
import {cut, fit, widthOf, wrap} from '../text/width.ts';
import {light, lightWord} from '../text/theme.ts';
import type {PartView} from './view.ts';

/** The row of lamps with their names, and below it the newest words of the first that is not ready. */
export function pathStrip({state, theme, width, blinking}: PartView): readonly string[] {
  const {lamps} = state.panels;
  const dash = theme.dim(theme.line.across.repeat(2));
  const shown = (lamp: Lamp, text: string) => (blinking?.has(lamp.id) ? theme.inverse(text) : text);
  const named = (by: 'name' | 'label') =>
    ` ${lamps.map(lamp => shown(lamp, `${lamp[by]} ${light(theme, lamp.light)}`)).join(dash)}`;
  const row = widthOf(named('name')) <= width ? named('name') : named('label');
  const telling =
    lamps.find(lamp => lamp.light === 'broken') ??
    lamps.find(lamp => lamp.light === 'working') ??
    lamps.findLast(lamp => lamp.words !== '');
  const words = telling && telling.words !== '' ? ` ${telling.at} ${telling.name}: ${telling.words}` : '';
  return [cut(row, width), cut(words, width)];
}

/** The whole path as text. */
export function path({state, theme, width, height}: PartView): readonly string[] {
  const rows = state.panels.lamps.flatMap(lamp => {
    const head = ` ${light(theme, lamp.light)} ${fit(lamp.name, 22)} ${fit(lightWord(lamp.light), 13)} ${theme.dim(lamp.at)}`;
    return [head, ...(lamp.words === '' ? [] : wrap(lamp.words, width - 6).map(line => `     ${theme.dim(line)}`))];
  });
  return [` ${theme.bold(state.panels.pathOf)}`, ...rows].slice(0, height);
}
