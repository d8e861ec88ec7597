// The state of a level's screen before anything was typed.
import {timeOfDay} from '../../api/meta/time.ts';
import type {World} from '../../world/world.ts';
import type {Entry} from '../course.ts';
import type {Progress} from '../progress.ts';
import {offeredLine} from './terminal/line-editor.ts';
import type {LevelState, Panels} from './state.ts';
import {EMPTY_TRANSCRIPT} from './terminal/transcript.ts';

export const NO_PANELS: Panels = {
  lamps: [],
  pathOf: '',
  objects: [],
  nodes: [],
  warning: undefined,
  events: [],
  staleSeconds: undefined,
};

export interface Beginning {
  readonly entry: Entry;
  readonly progress: Progress;
  readonly watching?: LevelState['watching'];
}

export function initialState({entry, progress, watching}: Beginning, world: World): LevelState {
  const {level, number} = entry;
  const {settings} = progress;
  const first = level.symptom[0]?.run ?? '';
  const isFirstTime = (progress.levels[level.id]?.tries ?? 1) <= 1;
  return {
    number,
    id: level.id,
    title: level.title,
    story: level.story.trim(),
    briefing: level.briefing,
    wanted: level.objectives.map(each => each.text),
    phase: 'briefing',
    user: level.player.user,
    namespace: level.player.kubeconfig.namespace ?? 'default',
    time: timeOfDay(world.wall),
    paused: true,
    speed: settings.speed,
    mode: 'terminal',
    view: 'terminal',
    transcript: EMPTY_TRANSCRIPT,
    line: offeredLine(first),
    history: [],
    busy: false,
    completions: [],
    scrolled: 0,
    selected: 0,
    goals: [],
    breaches: [],
    hints: level.hints.map(({stars}, index) => ({stars: index === 0 && isFirstTime ? 0 : stars, text: undefined})),
    hintOffered: false,
    writes: 0,
    panels: NO_PANELS,
    marks: [],
    watching,
    editor: undefined,
    debrief: undefined,
    lesson: watching === undefined && level.teaches === 'keys' && !settings.keysKnown ? 'enter' : undefined,
    ascii: settings.ascii,
    notice: undefined,
  };
}
