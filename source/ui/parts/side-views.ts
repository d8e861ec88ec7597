// The views that take the terminal's place while the player looks around: events, hints, time, keys.
import {cut, fit, wrap} from '../text/width.ts';
import {stars} from '../text/theme.ts';
import {ALL_KEYS} from '../keys/key-help.ts';
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
  const offer = next
    ? ` The next hint costs ${price(next.stars)} of ${stars(theme, 3)}. ${theme.bold('b')} buys it.`
    : ' There is no further hint.';
  const free =
    next && state.hints[0] === next ? [theme.dim('   (the first hint of a level is free the first time you play it)')] : [];
  return [...bought, offer, ...free].slice(-height);
}

function price(count: number): string {
  return count === 0.5 ? 'half a star' : count === 1 ? 'one star' : `${count} stars`;
}

export function time({state, theme, width}: PartView): readonly string[] {
  return [
    ` It is ${theme.bold(state.time)} in the cluster, ${state.paused ? 'and time stands still' : `and time runs at ×${state.speed}`}.`,
    '',
    ...wrap(
      'Space pauses and goes on. n goes to the next thing that happens. 1, 2 and 3 set the speed: ×1, ×10, ×60. A command is answered at once, whatever the speed.',
      width - 2,
    ).map(row => ` ${row}`),
  ];
}

export function help({theme, width, height}: PartView): readonly string[] {
  return ALL_KEYS.map(({keys, says}) => cut(` ${theme.bold(fit(keys, 13))} ${says}`, width)).slice(0, height);
}
