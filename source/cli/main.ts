// Picks the subcommand, and gives every failure its exit code: 0 for success, 1 where what was checked is not so, 2 for wrong use.
import {helpOf, readTyped, UsageError, type Command} from './command.ts';
import {offerBooks} from './books.ts';

/** Commands load when they are asked for: the game's first frame should not wait for the others. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  play: async () => (await import('./play.tsx')).play,
  levels: async () => (await import('./levels.ts')).levels,
  shell: async () => (await import('./shell.ts')).shell,
  serve: async () => (await import('./serve.ts')).serve,
  check: async () => (await import('./check.ts')).check,
  new: async () => (await import('./new.ts')).newLevel,
  replay: async () => (await import('./replay.tsx')).replay,
  reset: async () => (await import('./reset.ts')).reset,
};

/** Runs crashloop with these words; the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  // Ink's colours follow FORCE_COLOR alone; NO_COLOR is to hold for everything that is drawn.
  if (process.env['NO_COLOR']) process.env['FORCE_COLOR'] = '0';
  try {
    return await run(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') return print(`crashloop ${await version()}\n`);
  if (name === '--help' || name === '-h' || name === 'help') return print(await overview());
  if (name === undefined || name.startsWith('-')) return start((await import('./game.tsx')).game, argv);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load)
    throw new UsageError(
      `crashloop has no command ${JSON.stringify(name)}; there are ${Object.keys(COMMANDS).join(', ')}, or none for the game`,
    );
  return start(await load(), rest);
}

function start(command: Command, argv: readonly string[]): Promise<number> | number {
  const typed = readTyped(command, argv);
  offerBooks();
  return typed.flags['help'] === true ? print(helpOf(command)) : command.run(typed);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

async function overview(): Promise<string> {
  const {game} = await import('./game.tsx');
  const all = await Promise.all(Object.values(COMMANDS).map(load => load()));
  const rows = [game, ...all].map(command => [`crashloop ${command.name}`.trim(), command.summary] as const);
  const width = Math.max(...rows.map(([words]) => words.length));
  return [
    'crashloop: broken Kubernetes clusters that really run, for you to mend.',
    '',
    ...rows.map(([words, summary]) => `  ${words.padEnd(width)}  ${summary}`),
    '',
    'crashloop COMMAND --help tells more of each.',
    '',
    'Examples:',
    '  crashloop',
    '  crashloop play wrong-crate',
    '',
  ].join('\n');
}

async function version(): Promise<string> {
  const {readFile} = await import('node:fs/promises');
  for (const way of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(await readFile(new URL(way, import.meta.url), 'utf8')) as {name?: string; version?: string};
      if (manifest.name === 'crashloop') return manifest.version ?? 'unknown';
    } catch {
      // Not beside the bundle: beside the sources, one further up.
    }
  }
  return 'unknown';
}
