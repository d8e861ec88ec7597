// The goals, each with what stands in its way; broken rules; and one folded row where there is little room.
import {ends} from '../text/width.ts';
import {light} from '../text/theme.ts';
import type {PartView} from './view.ts';

export function goals({state, theme, width, height}: PartView): readonly string[] {
  const rows = state.goals.map(goal => {
    const mark = goal.met ? theme.green(theme.done) : goal.holding ? light(theme, 'working') : theme.dim(theme.open);
    return ends(` ${mark} ${goal.text}`, `${goal.met ? theme.green(goal.note) : goal.note} `, width);
  });
  const broken = state.breaches.map(breach => ` ${theme.red(theme.ascii ? 'x' : '✖')} ${breach.reason}`);
  return [...broken, ...rows].slice(0, height);
}

/** All goals in one row of marks. */
export function foldedGoals({state, theme}: PartView): string {
  const marks = state.goals.map(goal => (goal.met ? theme.green(theme.done) : theme.dim(theme.open))).join(' ');
  const open = state.goals.find(goal => !goal.met);
  return ` ${marks}  ${open ? theme.dim(`${open.text}: ${open.note}`) : ''}`;
}
