// Settings: what can be chosen once and for all.
import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import type {GameIntent, GameState} from '../../game/state.ts';
import type {Theme} from '../text/theme.ts';

interface Props {
  readonly state: GameState;
  readonly dispatch: (intent: GameIntent) => void;
  readonly theme: Theme;
}

const SPEEDS = [1, 10, 60];

export function SettingsScreen({state, dispatch, theme}: Props) {
  const {ascii, keysKnown, speed} = state.settings;
  const items = [
    {label: `Symbols: ${ascii ? 'plain letters (* ~ o x ?)' : '● ◐ ○ ✖ ◌'}`, value: 'ascii'},
    {label: `Speed at the start of a level: ×${speed}`, value: 'speed'},
    {label: `The lesson of the three keys: ${keysKnown ? 'not again' : 'in the first minute'}`, value: 'keys'},
    {label: 'Back', value: 'back'},
  ] as const;
  const change = (value: (typeof items)[number]['value']) => {
    if (value === 'back') dispatch({intent: 'show', screen: 'title'});
    else if (value === 'ascii') dispatch({intent: 'setting', change: {ascii: !ascii}});
    else if (value === 'keys') dispatch({intent: 'setting', change: {keysKnown: !keysKnown}});
    else dispatch({intent: 'setting', change: {speed: SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1}});
  };
  return (
    <Box flexDirection="column">
      <Text>{` ${theme.bold('Settings')}`}</Text>
      <Text> </Text>
      <Box marginLeft={1}>
        <SelectInput items={[...items]} onSelect={({value}) => change(value)} limit={6} />
      </Box>
      <Text> </Text>
      <Text>{` ${theme.bold('Enter')} changes · ${theme.bold('Esc')} back. Colours follow your terminal and NO_COLOR.`}</Text>
    </Box>
  );
}
