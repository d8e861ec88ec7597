// The first two rows of a level: what it is and how it stands, and the object's way with one lamp a component.
import {counted} from '../../game/counted.ts';
import {ends} from '../text/width.ts';
import {light, stars} from '../text/theme.ts';
import type {PartView} from './view.ts';

/** Title at the left; goals, stars, speed and time of day at the right. */
export function header({state, theme, width}: PartView): string {
  const met = state.goals.filter(goal => goal.met).length;
  const watched = state.watching && theme.inverse(state.watching === 'past' ? ' the past ' : ' replay ');
  const speed = state.paused ? theme.yellow(`${theme.pause} paused`) : `${theme.play}×${state.speed}`;
  const writes = width >= 100 ? [counted(state.writes, 'write')] : [];
  const spent = state.hints.reduce((sum, hint) => sum + (hint.text === undefined ? 0 : hint.stars), 0);
  const right = [
    `goals ${met}/${state.goals.length}`,
    stars(theme, Math.max(0, 3 - Math.min(1, spent))),
    ...writes,
    ...(watched === undefined ? [] : [watched]),
    `${speed} ${state.time}`,
  ].join(' · ');
  return ends(` ${theme.bold(`${state.number} ${state.title}`)}`, `${right} `, width);
}

/** `kubectl● api● …` */
export function lampRow({state, theme, blinking}: PartView): string {
  const lamps = state.panels.lamps.map(lamp => {
    const text = `${lamp.light === 'waiting' ? theme.dim(lamp.label) : lamp.label}${light(theme, lamp.light)}`;
    return blinking?.has(lamp.id) ? theme.inverse(text) : text;
  });
  return ` ${lamps.join(' ')}`;
}
