// Who may import whom, and why. A room is a folder of source/; the longest one that fits a file is its room. A room may import
// itself, and what stands here. The test beside this file reads it.

export interface Wall {
  readonly room: string;
  readonly may: readonly string[];
  readonly because: string;
}

const components = ['api', 'client', 'sim'];
const program = ['api', 'client', 'sim'];

export const WALLS: readonly Wall[] = [
  {room: 'sim', may: [], because: 'The laws of physics know nothing of what obeys them.'},
  {room: 'api', may: ['sim'], because: 'The vocabulary is made of words, not of machines.'},
  {room: 'client', may: ['api', 'sim'], because: 'A client knows how to ask, not who answers.'},
  {room: 'cluster/raft', may: ['sim'], because: 'Raft is mathematics: it gets times, messages and dice as arguments.'},
  {room: 'cluster/etcd', may: [...components, 'cluster/raft'], because: 'etcd is raft with a store; nobody else is let in.'},
  {room: 'cluster', may: components, because: 'Components never import each other: they meet at the API server, or dial.'},
  {room: 'tools', may: program, because: 'What is typed on a machine is a guest on it.'},
  {room: 'kubectl', may: program, because: 'kubectl is a guest; it has no key to the machine.'},
  {room: 'shell', may: program, because: 'bash finds programs by name in the table of its machine.'},
  {
    room: 'world',
    may: ['tools', 'kubectl', 'shell', 'cluster', 'client', 'api', 'sim'],
    because: 'The one wiring room hands every part what it needs.',
  },
  {room: 'game', may: ['world', 'api', 'sim'], because: 'The course speaks to the world, never to a component behind its back.'},
  {room: 'serve', may: ['world', 'api', 'sim'], because: 'The TLS port is a door into the world.'},
  {room: 'ui', may: ['game'], because: 'The screen reads state and sends intents, nothing else.'},
  {room: 'cli', may: ['ui', 'serve', 'game', 'world', 'api', 'sim'], because: 'A subcommand opens one of the doors.'},
  {room: '', may: ['cli'], because: 'main.tsx picks the command.'},
];

/** Folders of `cluster` are rooms of their own: each may import itself alone of them (and etcd raft). */
export function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  if (folders[0] === 'cluster') return folders.slice(0, 2).join('/');
  return folders[0] ?? '';
}

/** The rules for a room. */
export function wallOf(room: string): Wall | undefined {
  return WALLS.find(wall => wall.room === room) ?? WALLS.find(wall => wall.room === room.split('/')[0]);
}

/** May a file of the one room import a file of the other? */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  return wallOf(from)?.may.some(allowed => to === allowed || (allowed === 'cluster' && to.startsWith('cluster/'))) === true;
}

export interface Ban {
  readonly pattern: RegExp;
  readonly use: string;
  /** Rooms where it may stand. */
  readonly except?: readonly RegExp[];
}

/** What may not be named below `game`, and what to use instead. */
export const BANS: readonly Ban[] = [
  {
    pattern: /\b(Map|Object)\.groupBy\b|\bPromise\.withResolvers\b|\bArray\.fromAsync\b/,
    use: 'what Node 20.19 has: the published bundle runs there',
  },
  {pattern: /\bDate\.now\b|\bnew Date\(\)/, use: "the machine's clock: daemon.wall(), process.machine.wall()"},
  {pattern: /\bperformance\b(?=[.(])/, use: 'the clock of sim'},
  {pattern: /(?<![.\w])set(Timeout|Interval|Immediate)\b(?=\()/, use: 'scope.after, or sleep in a task'},
  {pattern: /\bqueueMicrotask\b/, use: 'scope.soon'},
  {pattern: /\bMath\.random\b|\bcrypto\.random|\brandomUUID\b|\brandomBytes\b/, use: 'dice, split by the name of who throws'},
  {pattern: /\blocaleCompare\b|\btoLocale\w*String\b|\bIntl\./, use: 'plain comparison of code units: a < b'},
  {
    pattern: /\bMath\.(exp|log|log2|log10|pow|sin|cos|tan)\b/,
    use: 'tables or whole-number arithmetic: these differ between machines',
  },
  {
    pattern: /(?<![.\w'"`])process\.(env|argv|cwd|exit|stdout|stderr|stdin|nextTick|hrtime|platform|pid\b(?! ===))/,
    use: 'arguments: only cli speaks to the host',
    except: [/^kubectl\//, /^shell\//, /^tools\//, /^sim\/process\//, /^cluster\/runtime\//, /^world\//],
  },
  {
    pattern: /\bfrom 'node:(fs|net|http|https|child_process|os|timers|worker_threads|process|readline|tty|dgram|dns)/,
    use: "the machine's files and dial",
  },
];
