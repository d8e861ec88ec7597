// The screens around a level: the briefing before it, the end of it, and what is said when a rule was broken.
import {counted} from '../../game/counted.ts';
import {keyLine} from '../parts/bottom.ts';
import {header, lampRow} from '../parts/header.ts';
import {terminal} from '../parts/terminal.ts';
import type {PartView} from '../parts/view.ts';
import {cut, fit, reflow, wrap} from '../text/width.ts';
import {light, stars} from '../text/theme.ts';
import type {Debrief} from '../../game/session/state.ts';
import {fill} from './level-frame.ts';

/** Who calls, what they see, what counts as mended. */
export function briefingFrame(view: PartView): readonly string[] {
  const {state, theme, width, height} = view;
  const prose = Math.min(76, width - 6);
  const lines = [
    '',
    `   ${theme.bold(`${state.number}  ${state.title}`)}`,
    '',
    ...wrap(reflow(state.story), prose).map(row => `   ${row}`),
    '',
    ...wrap(state.briefing, prose - 2).map(row => `   ${theme.yellow(row)}`),
    '',
    '   It is mended when',
    ...state.wanted.flatMap(text =>
      wrap(text, prose - 2).map((row, nth) => `   ${nth === 0 ? theme.dim(theme.open) : ' '} ${row}`),
    ),
    '',
    ...(state.lesson
      ? wrap(
          'Three keys are enough: Enter runs, Tab completes, Esc looks around. The first minute shows them; press s if you know them.',
          prose,
        ).map(row => `   ${theme.cyan(row)}`)
      : []),
  ];
  return [...fill(lines, height - 1), keyLine(view)].map(row => cut(row, width));
}

/** A broken rule: who would have been hurt, and what can be done. The terminal stays to be read. */
export function breachedFrame(view: PartView): readonly string[] {
  const {state, theme, width, height} = view;
  const prose = Math.min(76, width - 6);
  const reasons = state.breaches
    .filter(breach => breach.severity === 'fail')
    .flatMap(breach => wrap(breach.reason, prose).map(row => `   ${theme.red(row)}`));
  const lines = [
    '',
    ...reasons,
    '',
    '   The clock stands still; nobody was hurt here. Start over, or go on looking at what happened.',
    '',
  ];
  const rest = height - 2 - lines.length;
  return [header(view), ...lines, ...fill(terminal({...view, height: rest}), rest), keyLine(view)].map(row => cut(row, width));
}

/** The win: the lamps, the stars and why, and the debrief. */
export function wonFrame(view: PartView): readonly string[] {
  const {state, theme, width, height} = view;
  const lines = debriefRows(view);
  const room = height - 3;
  const from = Math.max(0, Math.min(state.selected, lines.length - room));
  const more = lines.length > from + room ? theme.dim(' ↓ more') : '';
  return [header(view), lampRow(view), ...fill(lines.slice(from, from + room), room), `${keyLine(view)}${more}`].map(row =>
    cut(row, width),
  );
}

function debriefRows(view: PartView): readonly string[] {
  const {state, theme, width} = view;
  const {debrief} = state;
  const prose = Math.min(90, width - 8);
  const paragraph = (title: string, text: string): readonly string[] =>
    text === '' ? [] : ['', `   ${theme.bold(title)}`, ...wrap(reflow(text.trim()), prose).map(row => `     ${row}`)];
  if (!debrief)
    return [
      '',
      `   ${theme.green(theme.bold('Mended.'))} The pods are Ready, and stay so.`,
      '',
      '   The debrief is being written …',
    ];
  const {score} = debrief;
  const par = score.par === undefined ? '' : ` (${score.par} or fewer earn the star)`;
  return [
    '',
    `   ${theme.green(theme.bold('Mended.'))} ${stars(theme, score.stars)}   in ${clock(debrief.ms)}, with ${counted(debrief.writes, 'write')}${par}`,
    theme.dim(`   solved ${score.solved} · without hints ${score.hints} · few writes ${score.writes}`),
    '',
    `   ${theme.bold('The way it went')}`,
    ...state.panels.lamps.map(lamp =>
      cut(`     ${light(theme, lamp.light)} ${fit(lamp.name, 20)} ${fit(lamp.at, 9)} ${theme.dim(lamp.words)}`, width),
    ),
    ...paragraph('What happened in the machine', debrief.model),
    ...paragraph('The one lesson', debrief.lesson),
    ...paragraph('In production', debrief.production),
    ...paragraph('In the exam', debrief.exam),
    '',
    `   ${theme.bold('Where you looked first')}`,
    ...looked(view, debrief.looked),
    '',
    `   ${theme.bold('Your way')}`,
    ...debrief.way.map(({at, command, wrote}) =>
      cut(`     ${theme.dim(at)} ${wrote ? theme.yellow('w') : ' '} ${command}`, width),
    ),
    ...(debrief.commands.length > 0
      ? ['', `   ${theme.bold('Commands learned')}`, ...wrap(debrief.commands.join(', '), prose).map(row => `     ${row}`)]
      : []),
    '',
    ...(debrief.keptAs === undefined
      ? []
      : [cut(`   ${theme.dim(`This run is kept: crashloop replay ${debrief.keptAs}`)}`, width), '']),
    debrief.next === undefined ? '   That was the last level there is so far.' : `   Next: ${debrief.next}`,
  ];
}

/** The places of the way in their order, with the player's own order beside them; what was never looked at is dark. */
function looked({theme, width}: PartView, places: Debrief['looked']): readonly string[] {
  return places.map(({place, at, nth}) =>
    cut(
      nth === 0
        ? theme.dim(`     ${theme.open} ${fit(place, 20)} never`)
        : `     ${nth === 1 ? theme.cyan(theme.arrow.slice(-1)) : ' '} ${fit(place, 20)} ${at}  ${nth === 1 ? theme.cyan('here first') : `then, as no. ${nth}`}`,
      width,
    ),
  );
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
