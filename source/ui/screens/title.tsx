// The title: the name comes up, crashes once within the first second, and stays. Any key skips that.
import {Box, Text, useAnimation} from 'ink';
import SelectInput from 'ink-select-input';
import type {GameIntent, GameState} from '../../game/state.ts';
import type {Theme} from '../text/theme.ts';

const NAME = [
  ' ___ _ _ __ _ __| |_ | |___  ___ _ __ ',
  "/ _| '_/ _` (_-<| ' \\| / _ \\/ _ \\ '_ \\",
  '\\__|_| \\__,_/__/|_||_|_\\___/\\___/ .__/',
  '                                |_|   ',
];

interface Props {
  readonly state: GameState;
  readonly dispatch: (intent: GameIntent) => void;
  readonly theme: Theme;
  readonly width: number;
  readonly still: boolean;
  readonly quit: () => void;
}

type Choice = 'continue' | 'map' | 'settings' | 'quit';

/** Frames of 100 ms: up, crashed with a back-off that runs to zero, up again. */
const CRASH_AT = 3;
const UP_AT = 9;

export function TitleScreen({state, dispatch, theme, width, still, quit}: Props) {
  const {frame} = useAnimation({interval: 100, isActive: !still});
  const at = still ? UP_AT : Math.min(frame, UP_AT);
  const crashed = at >= CRASH_AT && at < UP_AT;
  const left = ' '.repeat(Math.max(0, Math.floor((width - 40) / 2)));
  const status = crashed ? theme.red(`CrashLoopBackOff   back-off 0.${UP_AT - at}s restarting`) : theme.green('Running   1/1');
  const choose = (choice: Choice) => {
    if (choice === 'quit') quit();
    else if (choice === 'continue' && state.unfinished) dispatch({intent: 'open', id: state.unfinished.id, resume: true});
    else if (choice === 'continue') dispatch({intent: 'open', id: state.chosen ?? state.rows[0]?.id ?? ''});
    else dispatch({intent: 'show', screen: choice});
  };
  return (
    <Box flexDirection="column">
      <Text> </Text>
      {NAME.map(row => (
        <Text
          key={row}
          wrap="truncate"
        >{`${left}${crashed ? theme.dim(row.replaceAll(/\S/g, letter => (letter === '_' ? '.' : ' '))) : theme.bold(row)}`}</Text>
      ))}
      <Text>{`${left} ${status}`}</Text>
      <Text> </Text>
      <Text wrap="truncate">{`${left.slice(0, -10)} Broken Kubernetes clusters that really run, for you to mend.`}</Text>
      <Text> </Text>
      <Box marginLeft={left.length + 1}>
        <SelectInput items={choices(state)} onSelect={({value}) => choose(value)} limit={6} />
      </Box>
      <Text> </Text>
      {state.notice === undefined ? null : <Text wrap="wrap">{` ${theme.yellow(state.notice)}`}</Text>}
      {state.broken.slice(0, 3).map(problem => (
        <Text key={problem} wrap="truncate">
          {theme.yellow(` ${problem.split('\n')[0]}`)}
        </Text>
      ))}
      <Text>{`${left} ${theme.bold(theme.ascii ? 'up down' : '↑↓')} choose · ${theme.bold('Enter')} open · ${theme.bold('q')} quit`}</Text>
    </Box>
  );
}

function choices(state: GameState): {label: string; value: Choice}[] {
  const go = state.unfinished
    ? `Continue: ${state.unfinished.title}, where you left it`
    : state.chosen === undefined
      ? 'Begin'
      : 'Continue';
  return [
    {label: go, value: 'continue'},
    {label: 'Map', value: 'map'},
    {label: 'Settings', value: 'settings'},
    {label: 'Quit', value: 'quit'},
  ];
}
