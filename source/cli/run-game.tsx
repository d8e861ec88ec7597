// The game in a terminal: draws it with Ink, and beats its heart while there is anything to do.
import {render} from 'ink';
import {Game, type GameOptions} from '../game/game.ts';
import {App} from '../ui/app.tsx';
import type {MouseReport} from '../ui/keys/mouse.ts';
import {Keyboard, MOUSE_OFF, MOUSE_ON} from './keyboard.ts';
import {UsageError} from './command.ts';

/** Between two beats while time runs, in milliseconds. */
const BEAT_MS = 66;
/** After the first frame. */
const WARM_UP_AFTER_MS = 300;

/** Plays until the player leaves; the exit code. */
export async function runGame(
  options: Omit<GameOptions, 'hostNow'>,
  begin: (game: Game) => void = () => undefined,
): Promise<number> {
  if (process.stdout.isTTY !== true || process.stdin.isTTY !== true) {
    throw new UsageError('crashloop: there is no terminal to draw on; crashloop shell LEVEL plays line by line');
  }
  // Before the first frame: until then the terminal would make a line feed of Enter, and the screen would not know it.
  process.stdin.setRawMode(true);
  const listeners = new Set<(report: MouseReport) => void>();
  const keyboard = new Keyboard(process.stdin, report => {
    for (const hear of listeners) hear(report);
  });
  const mouse = {
    on(hear: (report: MouseReport) => void) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
  const game = new Game({...options, hostNow: () => performance.now()});
  const heart = new Heart(game);
  const colour = !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const screen = render(<App game={game} colour={colour} onTyped={() => heart.wake()} mouse={mouse} />, {
    stdin: keyboard as unknown as NodeJS.ReadStream,
    alternateScreen: true,
    exitOnCtrlC: false,
    interactive: true,
    maxFps: 15,
    incrementalRendering: true,
    patchConsole: false,
  });
  process.stdout.write(MOUSE_ON);
  process.once('exit', () => process.stdout.write(MOUSE_OFF));
  begin(game);
  heart.start();
  // The title is there; what a level needs is loaded while it is read.
  setTimeout(() => void game.warmUp(), WARM_UP_AFTER_MS).unref();
  await screen.waitUntilExit();
  heart.stop();
  process.stdin.unpipe(keyboard).pause();
  return 0;
}

/** Beats while a level runs; rests while nothing would happen. */
class Heart {
  readonly #game: Game;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;
  #again = false;
  #stopped = false;

  constructor(game: Game) {
    this.#game = game;
  }

  start(): void {
    this.#game.subscribe(() => this.#schedule());
    this.#schedule();
  }

  /** Beats at once: the player has typed. */
  wake(): void {
    if (this.#beating) this.#again = true;
    else void this.#beat();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer || this.#beating || this.#stopped || this.#game.isIdle) return;
    this.#timer = setTimeout(() => void this.#beat(), BEAT_MS);
  }

  async #beat(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#stopped) return;
    this.#beating = true;
    do {
      this.#again = false;
      await this.#game.beat(performance.now());
    } while (this.#again);
    this.#beating = false;
    this.#schedule();
  }
}
