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
  const telling = tellingOf(lamps);
  const words = telling && telling.words !== '' ? ` ${telling.at} ${telling.name}: ${telling.words}` : '';
  return [cut(row, width), cut(words, width)];
}

/** The lamp whose words matter most: where the way ends. */
function tellingOf(lamps: readonly Lamp[]): Lamp | undefined {
  return (
    lamps.find(lamp => lamp.light === 'broken') ??
    lamps.find(lamp => lamp.light === 'working') ??
    lamps.findLast(lamp => lamp.words !== '')
  );
}

/** The whole path as text; where there is little room, in one row each but for the one that matters most. */
export function path({state, theme, width, height}: PartView): readonly string[] {
  const {lamps, pathOf} = state.panels;
  const head = (lamp: Lamp) =>
    ` ${light(theme, lamp.light)} ${fit(lamp.name, 22)} ${fit(lightWord(lamp.light), 13)} ${theme.dim(fit(lamp.at, 8))}`;
  const whole = (lamp: Lamp) => [
    head(lamp),
    ...(lamp.words === '' ? [] : wrap(lamp.words, width - 6).map(line => `     ${theme.dim(line)}`)),
  ];
  const rows = lamps.flatMap(whole);
  const telling = tellingOf(lamps);
  const short = (lamp: Lamp) => (lamp === telling ? whole(lamp) : [cut(`${head(lamp)}  ${theme.dim(lamp.words)}`, width)]);
  return [` ${theme.bold(pathOf)}`, ...(rows.length < height ? rows : lamps.flatMap(short))].slice(0, height);
}
