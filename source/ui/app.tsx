// The game on the screen: shows what the state says, and turns keys into what the player wants. There is one listener for keys
// outside of the lists.
import {Box, Text, useApp, useInput, usePaste, useWindowSize} from 'ink';
import {useEffect, useRef, useState, useSyncExternalStore} from 'react';
import type {Game} from '../game/game.ts';
import {actionsFor, type Action} from './keys/level-keys.ts';
import {mouseIntent, type MouseReport} from './keys/mouse.ts';
import {readKeys, takeApart, type KeyPress} from './keys/read-keys.ts';
import {LevelScreen} from './screens/level.tsx';
import {MapScreen} from './screens/map.tsx';
import {SettingsScreen} from './screens/settings.tsx';
import {TitleScreen} from './screens/title.tsx';
import {makeTheme, type Theme} from './text/theme.ts';

const LEAST_COLUMNS = 60;
const LEAST_ROWS = 16;
/** A level may end under the player's fingers: keys that were meant for the terminal must not close what comes then. */
const DEAF_MS = 1200;

/** Did more come at once than anybody types, as from a terminal that does not tell of pasting? */
function isTextOfLines(input: string): boolean {
  return /[\r\n][^\r\n]/.test(input) && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(input);
}

interface Props {
  readonly game: Game;
  readonly colour: boolean;
  /** Hears that something was typed, so that the answer need not wait for the next beat. */
  readonly onTyped?: () => void;
  /** Tells of the mouse, which Ink does not know. */
  readonly mouse?: {on(hear: (report: MouseReport) => void): () => void};
}

export function App({game, colour, onTyped, mouse}: Props) {
  const {exit} = useApp();
  const {columns, rows} = useWindowSize();
  const state = useSyncExternalStore(game.subscribe, () => game.state);
  const [still, setStill] = useState(false);
  const phase = useRef({name: '', since: 0});
  const theme = makeTheme({colour, ascii: state.level?.ascii ?? state.settings.ascii});
  const act = (action: Action) => {
    if (!action) return;
    if ('level' in action) game.dispatch({intent: 'level', level: action.level});
    else game.dispatch(action.game);
  };
  const isDeaf = (name: string): boolean => {
    const ended = name === 'won' || name === 'breached';
    return ended && Date.now() - phase.current.since < DEAF_MS;
  };
  const press = (keys: readonly KeyPress[]) => {
    for (const key of keys) {
      const now = game.state;
      if (now.screen === 'level' && now.level) {
        if (isDeaf(now.level.phase)) continue;
        for (const action of actionsFor(now.level, key)) act(action);
      } else if (key.name === 'ctrl-c' || (key.text === 'q' && now.screen !== 'settings')) exit();
      else if (key.name === 'escape' && now.screen !== 'title') game.dispatch({intent: 'show', screen: 'title'});
    }
    onTyped?.();
  };
  useEffect(() => {
    phase.current = {name: state.level?.phase ?? '', since: Date.now()};
  }, [state.level?.phase]);
  /** A text of lines into an editor goes in as it is: its line ends are no keys. */
  const paste = (text: string): boolean => {
    const {level, screen} = game.state;
    if (screen !== 'level' || level?.mode !== 'editor' || level.watching || level.phase !== 'playing') return false;
    game.dispatch({intent: 'level', level: {intent: 'paste', text}});
    return true;
  };
  useInput((input, key) => {
    setStill(true);
    const isTyping = game.state.level?.editor?.vi?.mode ?? 'insert';
    if (isTyping === 'insert' && isTextOfLines(input) && paste(input)) return;
    press(readKeys(input, key));
  });
  useEffect(() =>
    mouse?.on(report => {
      const {level, screen} = game.state;
      const intent = screen === 'level' && level && mouseIntent({state: level, theme, width: columns, height: rows}, report);
      if (intent) act({level: intent});
    }),
  );
  usePaste(text => {
    if (!paste(text)) press(takeApart(text));
  });
  useEffect(() => {
    const timer = setTimeout(() => setStill(true), 1200);
    return () => clearTimeout(timer);
  }, []);
  if (columns < LEAST_COLUMNS || rows < LEAST_ROWS)
    return <Text wrap="truncate">{`crashloop needs ${LEAST_COLUMNS}×${LEAST_ROWS}, this is ${columns}×${rows}`}</Text>;
  return <Screen game={game} state={state} theme={theme} width={columns} height={rows} still={still} quit={exit} />;
}

interface ScreenProps {
  readonly game: Game;
  readonly state: Game['state'];
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly still: boolean;
  readonly quit: () => void;
}

/** What the state shows. */
function Screen({game, state, theme, width, height, still, quit}: ScreenProps) {
  const {dispatch} = game;
  switch (state.screen) {
    case 'title':
      return <TitleScreen state={state} dispatch={dispatch} theme={theme} width={width} still={still} quit={quit} />;
    case 'map':
      return <MapScreen state={state} dispatch={dispatch} theme={theme} width={width} height={height} />;
    case 'settings':
      return <SettingsScreen state={state} dispatch={dispatch} theme={theme} />;
    case 'opening':
      return (
        <Box marginTop={Math.floor(height / 2) - 1}>
          <Text>{theme.dim('   The cluster starts …')}</Text>
        </Box>
      );
    case 'level':
      return state.level ? <LevelScreen state={state.level} theme={theme} width={width} height={height} /> : null;
  }
}
