// A level on the screen: one Text a row, made from the state by pure functions.
import {Box, Text, useAnimation} from 'ink';
import {useEffect, useState} from 'react';
import type {Lamp, LevelState} from '../../game/session/state.ts';
import type {Theme} from '../text/theme.ts';
import {levelFrame} from './level-frame.ts';
import {breachedFrame, briefingFrame, wonFrame} from './story-frames.ts';

interface Props {
  readonly state: LevelState;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly blinking?: ReadonlySet<string>;
}

const FRAMES = {
  opening: levelFrame,
  briefing: briefingFrame,
  playing: levelFrame,
  breached: breachedFrame,
  won: wonFrame,
} as const;

/** The rows of the screen for a state. */
export function rowsFor({state, ...view}: Props): readonly string[] {
  return FRAMES[state.phase]({state, ...view});
}

/** Between two lamps that light up after a win, in milliseconds. */
const LAMP_MS = 120;

export function LevelScreen({state, ...room}: Props) {
  const {lamps} = state.panels;
  const blinking = useBlinking(lamps);
  const lit = useCount(state.phase === 'won', lamps.length);
  const shown =
    state.phase === 'won' && lit < lamps.length
      ? {
          ...state,
          panels: {
            ...state.panels,
            lamps: lamps.map((lamp, index) => (index < lit ? lamp : {...lamp, light: 'waiting' as const})),
          },
        }
      : state;
  return <Rows rows={rowsFor({state: shown, ...room, blinking})} />;
}

const NONE: ReadonlySet<string> = new Set();
/** Twice on and off. */
const BLINKS = 4;
const BLINK_MS = 160;

/** The lamps that changed just now, while they are in the bright half of a blink; then nothing moves any more. */
function useBlinking(lamps: readonly Lamp[]): ReadonlySet<string> {
  const [before, setBefore] = useState(lamps);
  const [changed, setChanged] = useState<ReadonlySet<string>>(NONE);
  const [left, setLeft] = useState(0);
  if (before !== lamps) {
    const now = lamps.filter(({id, light}) => before.some(known => known.id === id && known.light !== light)).map(({id}) => id);
    setBefore(lamps);
    if (now.length > 0) {
      setChanged(new Set(now));
      setLeft(BLINKS);
    }
  }
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), BLINK_MS);
    return () => clearTimeout(timer);
  }, [left]);
  return left % 2 === 1 || left === 0 ? NONE : changed;
}

/** Counts up to `most` while it is active, then stands still. */
function useCount(isActive: boolean, most: number): number {
  const [isDone, setDone] = useState(false);
  const {frame} = useAnimation({interval: LAMP_MS, isActive: isActive && !isDone});
  const shouldBeDone = isActive && (isDone || frame >= most);
  if (shouldBeDone !== isDone) setDone(shouldBeDone);
  return isDone ? most : Math.min(frame, most);
}

/** Rows as they are; an empty one still takes its line. */
export function Rows({rows}: {readonly rows: readonly string[]}) {
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        // Rows have no identity but their place on the screen.
        // oxlint-disable-next-line react/no-array-index-key
        <Text key={index} wrap="truncate">
          {row === '' ? ' ' : row}
        </Text>
      ))}
    </Box>
  );
}
