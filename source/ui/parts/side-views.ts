// The views that take the terminal's place while the player looks around: events, hints, time, keys.
import {cut, fit, wrap} from '../text/width.ts';
import {stars} from '../text/theme.ts';
import {ALL_KEYS} from '../keys/key-help.ts';
import type {Mark} from '../../game/session/marks.ts';
import type {Theme} from '../text/theme.ts';
import type {PartView} from './view.ts';

export function events({state, theme, width, height}: PartView): readonly string[] {
  const rows = state.panels.events;
  if (rows.length === 0) return [theme.dim(' no events that you may see')];
  return rows.slice(0, height).map(({age, type, reason, object, message}) => {
    const paint = type === 'Warning' ? theme.yellow : (text: string) => text;
    return cut(` ${fit(age, 6)}${paint(fit(type, 8))} ${fit(reason, 18)} ${fit(object, 26)} ${theme.dim(message)}`, width);
  });
}

export function hints({state, theme, width, height}: PartView): readonly string[] {
  const bought = state.hints.flatMap((hint, index) =>
    hint.text === undefined
      ? []
      : [` ${theme.bold(`Hint ${index + 1}`)}`, ...wrap(hint.text, width - 4).map(row => `   ${row}`), ''],
  );
  const next = state.hints.find(hint => hint.text === undefined);
  const offer = !next
    ? [' There is no further hint.']
    : wrap(
        next.stars === 0
          ? `The first hint of a level is free the first time that you play it. ${theme.bold('b')} opens it.`
          : `The next hint costs ${price(next.stars)} of ${stars(theme, 3)}. ${theme.bold('b')} buys it.`,
        width - 2,
      ).map(row => ` ${row}`);
  return [...bought, ...offer].slice(-height);
}

function price(count: number): string {
  return count === 0.5 ? 'half a star' : count === 1 ? 'one star' : `${count} stars`;
}

const MARKS: Readonly<Record<Mark['kind'], string>> = {
  start: 'begins',
  command: 'typed',
  write: 'wrote',
  warning: 'warning',
  goal: 'goal',
  breach: 'broken',
};

export function time({state, theme, width, height}: PartView): readonly string[] {
  const {marks} = state;
  const words = [
    ` It is ${theme.bold(state.time)} in the cluster, ${state.paused ? 'and time stands still' : `and time runs at ×${state.speed}`}.`,
    '',
    ...wrap(
      'Space pauses, n goes to the next event, 1 2 3 set the speed. Choose a moment with ↑↓: b goes back there to look, and you may play on from it.',
      width - 2,
    ).map(row => ` ${row}`),
    '',
  ];
  const room = Math.max(1, height - words.length);
  const chosen = Math.min(state.selected, marks.length - 1);
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), marks.length - room));
  const rows = marks.slice(from, from + room).map((mark, index) => {
    const text = fit(` ${mark.time} ${fit(MARKS[mark.kind], 8)} ${mark.text}`, width);
    return from + index === chosen ? theme.inverse(text) : PAINTS[mark.kind](theme)(text);
  });
  return [...words, ...rows];
}

const PAINTS: Readonly<Record<Mark['kind'], (theme: Theme) => (text: string) => string>> = {
  start: theme => theme.dim,
  command: theme => theme.dim,
  write: () => text => text,
  warning: theme => theme.yellow,
  goal: theme => theme.green,
  breach: theme => theme.red,
};

export function help({theme, width, height}: PartView): readonly string[] {
  return ALL_KEYS.map(({keys, says}) => cut(` ${theme.bold(fit(keys, 13))} ${says}`, width)).slice(0, height);
}
