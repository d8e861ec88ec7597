// The map: the levels in the order of the path at the left, the story of the chosen one at the right.
import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import type {MapRow} from '../../game/map-row.ts';
import type {GameIntent, GameState} from '../../game/state.ts';
import {cut, fit, reflow, wrap} from '../text/width.ts';
import {stars, type Theme} from '../text/theme.ts';

interface Props {
  readonly state: GameState;
  readonly dispatch: (intent: GameIntent) => void;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
}

export function MapScreen({state, dispatch, theme, width, height}: Props) {
  const {rows} = state;
  const chosen = rows.find(row => row.id === state.chosen) ?? rows[0];
  const list = Math.min(44, Math.floor(width / 2));
  const room = Math.max(3, height - 6);
  const items = rows.map(row => ({
    key: row.id,
    value: row.id,
    label: cut(
      `${fit(row.number, 5)}${fit(row.title, list - 14)} ${row.solved ? stars(theme, row.stars) : theme.dim('···')}`,
      list,
    ),
  }));
  return (
    <Box flexDirection="column" height={height}>
      <Text>{` ${theme.bold('The map')}   ${theme.dim(`${rows.filter(row => row.solved).length} of ${rows.length} levels solved`)}`}</Text>
      <Text> </Text>
      <Box flexGrow={1}>
        <Box width={list + 3} marginLeft={1}>
          <SelectInput
            items={items}
            limit={room}
            initialIndex={Math.max(
              0,
              rows.findIndex(row => row.id === chosen?.id),
            )}
            onHighlight={({value}) => dispatch({intent: 'choose', id: value})}
            onSelect={({value}) => dispatch({intent: 'open', id: value})}
          />
        </Box>
        <Box flexDirection="column">
          {chosen
            ? story(chosen, theme, width - list - 6)
                .slice(0, room)
                .map((row, index) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <Text key={index} wrap="truncate">
                    {row === '' ? ' ' : row}
                  </Text>
                ))
            : null}
        </Box>
      </Box>
      {state.notice === undefined ? null : <Text wrap="truncate">{` ${theme.yellow(state.notice)}`}</Text>}
      {state.broken.length > 0 ? (
        <Text wrap="truncate">
          {theme.yellow(` ${state.broken.length} level file(s) cannot be opened: ${state.broken[0]?.split('\n')[0]}`)}
        </Text>
      ) : null}
      <Text>{` ${theme.bold(theme.ascii ? 'up down' : '↑↓')} choose · ${theme.bold('Enter')} open · ${theme.bold('Esc')} title · ${theme.bold('q')} quit`}</Text>
    </Box>
  );
}

function story(row: MapRow, theme: Theme, width: number): readonly string[] {
  const best = row.bestMs === undefined ? '' : ` · best ${Math.round(row.bestMs / 1000)} s`;
  return [
    theme.bold(`${row.number} ${row.title}`),
    theme.dim(`${row.world} · ${row.domain}`),
    '',
    ...wrap(reflow(row.story), width),
    '',
    ...wrap(row.idea, width).map(line => theme.cyan(line)),
    '',
    `${theme.yellow((theme.ascii ? '*' : '★').repeat(row.difficulty))} difficulty · about ${row.minutes} minutes`,
    row.solved ? `${stars(theme, row.stars)} solved${best}` : theme.dim('not solved yet'),
  ];
}
