// A level on the screen: one Text a row, made from the state by pure functions.
import {Box, Text} from 'ink';
import type {LevelState} from '../../game/session/state.ts';
import type {Theme} from '../text/theme.ts';
import {levelFrame} from './level-frame.ts';
import {breachedFrame, briefingFrame, wonFrame} from './story-frames.ts';

interface Props {
  readonly state: LevelState;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
}

const FRAMES = {
  opening: levelFrame,
  briefing: briefingFrame,
  playing: levelFrame,
  breached: breachedFrame,
  won: wonFrame,
} as const;

/** The rows of the screen for a state. */
export function rowsFor({state, theme, width, height}: Props): readonly string[] {
  return FRAMES[state.phase]({state, theme, width, height});
}

export function LevelScreen(props: Props) {
  return <Rows rows={rowsFor(props)} />;
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
