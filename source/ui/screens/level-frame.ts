// The screen of a level as rows. Small: everything above everything else, the terminal with what is left, fourteen rows at least.
// From 110 columns and 34 rows on: the terminal at the left, goals, objects and nodes beside it, the path below.
import type {LevelState} from '../../game/session/state.ts';
import {editor} from '../parts/editor.ts';
import {eventLine, keyLine} from '../parts/bottom.ts';
import {foldedGoals, goals} from '../parts/goals.ts';
import {header, lampRow} from '../parts/header.ts';
import {nodes} from '../parts/nodes.ts';
import {objects} from '../parts/objects.ts';
import {path, pathStrip} from '../parts/path.ts';
import {events, help, hints, time} from '../parts/side-views.ts';
import {terminal} from '../parts/terminal.ts';
import type {Part, PartView} from '../parts/view.ts';
import type {View} from '../../game/session/state.ts';
import {cut, fit, widthOf} from '../text/width.ts';

const WIDE = 110;
const TALL = 34;
const TERMINAL_ROWS = 14;
/** Header, lamps, two dividers, event line and keys of a small screen. */
const FIXED_ROWS = 6;
/** Of a large screen. */
const GOALS_MOST = 8;
/** The path below a large screen's panes. */
const STRIP_ROWS = 2;

const VIEWS: Readonly<Record<Exclude<View, 'terminal'>, Part>> = {goals, objects, path, events, hints, time, help};

/** All rows of the screen, each at most as wide as it. */
export function levelFrame(view: PartView): readonly string[] {
  if (view.state.mode === 'editor')
    return [header(view), ...fill(editor({...view, height: view.height - 2}), view.height - 2), keyLine(view)];
  return view.width >= WIDE && view.height >= TALL ? large(view) : small(view);
}

/** Which view a place of the screen belongs to, counted from the upper left corner: what a click there opens. */
export function viewAt(view: PartView, column: number, row: number): View {
  const {state, width, height} = view;
  if (row === height - 2) return 'events';
  if (width >= WIDE && height >= TALL) {
    const {left, body, goalRows} = largeSizes(view);
    if (row > body + 1) return 'path';
    if (column <= left) return 'terminal';
    return row <= goalRows + 1 ? 'goals' : 'objects';
  }
  if (row === 1) return 'path';
  return row > 1 && row < 3 + smallGoals(view).length && state.scrolled === 0 ? 'goals' : 'terminal';
}

function small(view: PartView): readonly string[] {
  const {width, height} = view;
  const goalRows = smallGoals(view);
  const main = height - FIXED_ROWS - goalRows.length;
  return [
    header(view),
    lampRow(view),
    divider(view, 'goals'),
    ...goalRows,
    divider(view, mainTitle(view)),
    ...fill(mainRows({...view, height: main}), main),
    eventLine(view),
    keyLine(view),
  ].map(row => cut(row, width));
}

/** The goals, folded to one row where there is little room. */
function smallGoals(view: PartView): readonly string[] {
  const {state, height} = view;
  const room = Math.max(1, height - FIXED_ROWS - TERMINAL_ROWS);
  const folded = state.scrolled > 0 || height < FIXED_ROWS + TERMINAL_ROWS + 1;
  return folded ? [foldedGoals(view)] : goals({...view, height: Math.min(room, state.goals.length + state.breaches.length)});
}

/** What the main pane shows: the terminal, or the view that was chosen instead. */
function mainRows(view: PartView): readonly string[] {
  const {mode, view: shown} = view.state;
  return mode === 'look' && shown !== 'terminal' ? VIEWS[shown](view) : terminal(view);
}

function mainTitle({state}: PartView): string {
  if (state.mode === 'look' && state.view !== 'terminal') {
    const isSeen = state.view === 'objects' || state.view === 'events' || state.view === 'path';
    return state.view === 'help' ? 'keys' : `${state.view}${isSeen ? age(state) : ''}`;
  }
  if (state.watching === 'past') return `${state.namespace} · as it was at ${state.time}: nothing can be typed here`;
  const back = state.scrolled > 0 ? ` · ${state.scrolled} lines back` : '';
  return `${state.namespace} · ${state.user}${back}`;
}

/** Of what is shown while the API server is not heard. */
function age({panels: {staleSeconds}}: LevelState): string {
  return staleSeconds === undefined ? '' : ` · ${staleSeconds} s old`;
}

function divider({theme, width}: PartView, title: string): string {
  const {across} = theme.line;
  return `${theme.dim(across)} ${title} ${theme.dim(across.repeat(Math.max(0, width - widthOf(title) - 3)))}`;
}

function large(view: PartView): readonly string[] {
  const {state, theme, width} = view;
  const {side, left, body} = largeSizes(view);
  const strip = pathStrip({...view, width: width - 2});
  const main = fill(mainRows({...view, width: left, height: body}), body);
  const beside = sideRows({...view, width: side, height: body});
  const {
    across,
    down,
    corners: [tl, tr, bl, br],
    tee: [tl2, tr2, td, tu],
  } = theme.line;
  const bar = theme.dim(down);
  const top = titled(theme.dim, {text: mainTitle(view), width: left, across});
  const goalTop = titled(theme.dim, {text: 'goals', width: side, across});
  return [
    header(view),
    theme.dim(tl) + top + theme.dim(td) + goalTop + theme.dim(tr),
    ...main.map((row, index) => `${bar}${fit(row, left)}${bar}${fit(beside[index] ?? '', side)}${bar}`),
    theme.dim(tl2) +
      titled(theme.dim, {
        text: state.panels.pathOf === '' ? 'who is heard' : `path of ${state.panels.pathOf}`,
        width: left,
        across,
      }) +
      theme.dim(tu) +
      theme.dim(across.repeat(side)) +
      theme.dim(tr2),
    ...strip.map(row => `${bar}${fit(row, width - 2)}${bar}`),
    theme.dim(bl + across.repeat(width - 2) + br),
    eventLine(view),
    keyLine(view),
  ].map(row => cut(row, width));
}

/** The widths of the two panes and the rows between the dividers of a large screen. */
function largeSizes(view: PartView) {
  const {width, height} = view;
  const side = Math.min(60, Math.floor(width * 0.42));
  const goalRows = Math.max(1, goals({...view, width: side, height: GOALS_MOST}).length);
  return {side, left: width - side - 3, body: height - 6 - STRIP_ROWS, goalRows};
}

/** Goals, objects and nodes under each other, with dividers between. */
function sideRows(view: PartView): readonly string[] {
  const {theme, width, height, state} = view;
  const across = theme.line.across;
  const goalRows = goals({...view, height: largeSizes(view).goalRows});
  const nodeCount = Math.min(state.panels.nodes.length, Math.max(0, Math.floor((height - goalRows.length - 2) / 2)));
  const objectRoom = height - goalRows.length - 1 - (nodeCount > 0 ? nodeCount + 1 : 0);
  return [
    ...goalRows,
    titled(theme.dim, {text: `objects${age(state)}`, width, across}),
    ...fill(objects({...view, height: objectRoom}), objectRoom),
    ...(nodeCount > 0
      ? [titled(theme.dim, {text: `nodes: requested memory${age(state)}`, width, across}), ...nodes({...view, height: nodeCount})]
      : []),
  ].slice(0, height);
}

function titled(
  dim: (text: string) => string,
  {text, width, across}: {readonly text: string; readonly width: number; readonly across: string},
): string {
  const title = cut(` ${text} `, width);
  return title + dim(across.repeat(Math.max(0, width - widthOf(title))));
}

/** Exactly so many rows. */
export function fill(rows: readonly string[], height: number): readonly string[] {
  return [...rows.slice(0, height), ...Array.from({length: Math.max(0, height - rows.length)}, () => '')];
}
