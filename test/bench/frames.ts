// What a frame of the level's screen costs, against the same rows drawn with bare Ink.
import {Writable} from 'node:stream';
import {Box, render, Text} from 'ink';
import {createElement, type ReactNode} from 'react';
import {ownCourse} from '../../source/cli/level-files.ts';
import {NO_PROGRESS} from '../../source/game/progress.ts';
import {Session} from '../../source/game/session/session.ts';
import {LevelScreen, rowsFor} from '../../source/ui/screens/level.tsx';
import {makeTheme} from '../../source/ui/text/theme.ts';
import {cpuMs, type Bench} from './measure.ts';

const FRAMES = 100;
const theme = makeTheme({colour: true, ascii: false});

/** A frame at a size. */
export function frames(width: number, height: number): Bench {
  return {
    name: `a frame at ${width}x${height}`,
    async run() {
      const [entry] = ownCourse().entries;
      if (!entry) return [];
      const session = await Session.open({entry, progress: NO_PROGRESS, hostNow: () => performance.now()});
      session.dispatch({intent: 'begin'});
      session.dispatch({intent: 'submit'});
      await session.beat(performance.now());
      const {state} = session;
      const times = Array.from({length: FRAMES}, (_, n) => `09:0${n % 10}:${String(n % 60).padStart(2, '0')}`);
      const rows = times.map(time => rowsFor({state: {...state, time}, theme, width, height}));
      const bare = await draw(width, height, n =>
        createElement(
          Box,
          {flexDirection: 'column'},
          ...(rows[n] ?? []).map((row, key) => createElement(Text, {key, wrap: 'truncate'}, row || ' ')),
        ),
      );
      const ours = await draw(width, height, n =>
        createElement(LevelScreen, {state: {...state, time: times[n] ?? ''}, theme, width, height}),
      );
      return [
        {name: 'CPU', value: ours, unit: 'ms'},
        {name: 'the same rows with bare Ink', value: bare, unit: 'ms'},
        {name: 'ratio', value: ours / bare, unit: '', goal: 'at most 1.2'},
      ];
    },
  };
}

async function draw(columns: number, rows: number, frame: (n: number) => ReactNode): Promise<number> {
  const sink = new Writable({decodeStrings: false, write: (_chunk, _encoding, done) => done()});
  const stdout = Object.assign(sink, {columns, rows, isTTY: true}) as unknown as NodeJS.WriteStream;
  const app = render(frame(0), {
    stdout,
    interactive: true,
    patchConsole: false,
    incrementalRendering: true,
    maxFps: 1000,
    exitOnCtrlC: false,
  });
  const settle = () => new Promise(resolve => setTimeout(resolve, 2));
  for (let n = 0; n < 20; n++) {
    app.rerender(frame(n));
    await settle();
  }
  const cpu = await cpuMs(async () => {
    for (let n = 0; n < FRAMES; n++) {
      app.rerender(frame(n));
      await settle();
    }
  });
  app.unmount();
  return cpu / FRAMES;
}
