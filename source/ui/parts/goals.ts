// The goals, each with what stands in its way; broken rules; and one folded row where there is little room.
import {cut, ends, widthOf, wrap} from '../text/width.ts';
import {light, type Theme} from '../text/theme.ts';
import type {PartView} from './view.ts';

type Goal = PartView['state']['goals'][number];

/** Columns that a note keeps where a goal's text is long. */
const NOTE_MOST = 24;

export function goals(view: PartView): readonly string[] {
  const {state, theme, width, height} = view;
  const broken = state.breaches.flatMap(({reason}) =>
    wrap(reason, width - 4).map((row, nth) => ` ${nth === 0 ? theme.red(theme.ascii ? 'x' : '✖') : ' '} ${row}`),
  );
  const whole = [...broken, ...state.goals.flatMap(goal => wholeGoal(view, goal))];
  return whole.length <= height ? whole : [...broken, ...state.goals.map(goal => shortGoal(view, goal))].slice(0, height);
}

/** In one row: the note gives way to the text until little is left of it, then the text. */
function shortGoal({theme, width}: PartView, goal: Goal): string {
  const room = Math.max(width - widthOf(goal.text) - 5, NOTE_MOST);
  return ends(` ${mark(theme, goal)} ${goal.text}`, `${note(theme, goal, room)} `, width);
}

/** In one row where both fit, otherwise over several with nothing left out. */
function wholeGoal(view: PartView, goal: Goal): readonly string[] {
  const {theme, width} = view;
  if (widthOf(goal.text) + widthOf(goal.note) + 5 <= width) return [shortGoal(view, goal)];
  const [first = '', ...rest] = wrap(goal.text, width - 4);
  const last = rest.at(-1) ?? first;
  const rows = [` ${mark(theme, goal)} ${first}`, ...rest.map(row => `   ${row}`)];
  const noted = `${note(theme, goal, width - 4)} `;
  return widthOf(last) + widthOf(noted) + 4 <= width
    ? [...rows.slice(0, -1), ends(rows.at(-1) ?? '', noted, width)]
    : [...rows, ends('', noted, width)];
}

function mark(theme: Theme, goal: Goal): string {
  return goal.met ? theme.green(theme.done) : goal.holding ? light(theme, 'working') : theme.dim(theme.open);
}

function note(theme: Theme, goal: Goal, room: number): string {
  const text = cut(goal.note, room);
  return goal.met ? theme.green(text) : text;
}

/** All goals in one row of marks. */
export function foldedGoals({state, theme}: PartView): string {
  const marks = state.goals.map(goal => (goal.met ? theme.green(theme.done) : theme.dim(theme.open))).join(' ');
  const open = state.goals.find(goal => !goal.met);
  return ` ${marks}  ${open ? theme.dim(`${open.text}: ${open.note}`) : ''}`;
}
