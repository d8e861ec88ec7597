// Moments worth going back to: what the player did, warnings, goals that were met or lost, rules that were broken.
import type {Judgement} from './judging/judge.ts';
import type {LevelState, Panels} from './state.ts';

export interface Mark {
  /** Virtual milliseconds since the cluster's start. */
  readonly at: number;
  /** How many inputs of the player came before this moment. */
  readonly inputs: number;
  /** The time of day in the cluster. */
  readonly time: string;
  readonly kind: 'start' | 'command' | 'write' | 'warning' | 'goal' | 'breach';
  readonly text: string;
}

type NewMark = Pick<Mark, 'kind' | 'text'>;

/** Goals that changed and rules that were broken, compared with what is shown. */
export function goalMarks({goals, breaches, phase}: LevelState, next: Judgement): readonly NewMark[] {
  if (phase === 'briefing') return [];
  const met = new Map(goals.map(goal => [goal.id, goal.met]));
  return [
    ...next.goals
      .filter(goal => met.has(goal.id) && goal.met !== met.get(goal.id))
      .map(goal => ({kind: 'goal' as const, text: `${goal.met ? 'met' : 'lost'}: ${goal.text}`})),
    ...next.breaches
      .filter(breach => !breaches.some(known => known.id === breach.id))
      .map(breach => ({kind: 'breach' as const, text: breach.reason})),
  ];
}

/** A warning for a reason that none had before. */
export function warningMark({phase, panels: {warning: before}, marks}: LevelState, {warning}: Panels): NewMark | undefined {
  if (!warning || phase === 'briefing' || before?.reason === warning.reason) return undefined;
  if (marks.some(mark => mark.kind === 'warning' && mark.text.startsWith(`${warning.reason} `))) return undefined;
  return {kind: 'warning', text: `${warning.reason} ${warning.object}`};
}

/** The moment before the last thing that was done before a rule was broken; the beginning where nothing was. */
export function beforeBreach(marks: readonly Mark[]): Mark | undefined {
  const breach = marks.findIndex(mark => mark.kind === 'breach');
  return breach < 0
    ? undefined
    : (marks.slice(0, breach).findLast(mark => mark.kind === 'write') ??
        marks.slice(0, breach).findLast(mark => mark.kind === 'command') ??
        marks[0]);
}
