// `crictl`: the containers of this machine, asked of its runtime without any Kubernetes between.
//
// Modelled: pods, ps, images, inspect, inspectp, inspecti, logs, exec, stop, rm, stopp, rmp, rmi, pull, stats, statsp, imagefsinfo, info, version.
// Not modelled: making sandboxes and containers by hand, attach, port-forward, checkpoints, metrics.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {readFlags, type FlagSpec} from '../flags/pflags.ts';
import * as actions from './actions.ts';
import type {Given} from './given.ts';
import {images, pods, ps} from './lists.ts';
import {imageFilesystem, podStats, stats} from './stats.ts';
import {Fatal, RuntimeConnection} from './runtime.ts';

const flag = (name: string, type: FlagSpec['type'], short?: string): FlagSpec => ({name, type, ...(short ? {short} : {})});

const GLOBAL: readonly FlagSpec[] = [
  flag('runtime-endpoint', 'string', 'r'),
  flag('image-endpoint', 'string', 'i'),
  flag('config', 'string', 'c'),
  flag('debug', 'bool', 'D'),
  flag('timeout', 'string', 't'),
];
const OUTPUT = flag('output', 'string', 'o');
const QUIET = flag('quiet', 'bool', 'q');
const ALL = flag('all', 'bool', 'a');
const LISTS = [
  OUTPUT,
  QUIET,
  flag('no-trunc', 'bool'),
  flag('last', 'int', 'n'),
  flag('latest', 'bool', 'l'),
  flag('verbose', 'bool', 'v'),
];
const INSPECTS = [OUTPUT, QUIET, flag('template', 'string')];

interface Command {
  readonly names: readonly string[];
  readonly usage: string;
  readonly flags: readonly FlagSpec[];
  readonly run: (given: Given) => Promise<void | number>;
}

const COMMANDS: readonly Command[] = [
  {
    names: ['exec'],
    usage: 'Run a command in a running container',
    flags: [flag('interactive', 'bool', 'i'), flag('tty', 'bool', 't'), flag('sync', 'bool', 's'), flag('timeout', 'string')],
    run: actions.exec,
  },
  {names: ['images', 'image', 'img'], usage: 'List images', flags: [...LISTS, flag('digests', 'bool')], run: images},
  {names: ['imagefsinfo'], usage: 'Return image filesystem info', flags: INSPECTS, run: imageFilesystem},
  {names: ['info'], usage: 'Display information of the container runtime', flags: INSPECTS, run: actions.info},
  {names: ['inspect'], usage: 'Display the status of one or more containers', flags: INSPECTS, run: actions.inspect},
  {names: ['inspecti'], usage: 'Return the status of one or more images', flags: INSPECTS, run: actions.inspectImage},
  {names: ['inspectp'], usage: 'Display the status of one or more pods', flags: INSPECTS, run: actions.inspectPod},
  {
    names: ['logs'],
    usage: 'Fetch the logs of a container',
    flags: [
      flag('follow', 'bool', 'f'),
      flag('tail', 'int'),
      flag('timestamps', 'bool', 't'),
      flag('since', 'string'),
      flag('previous', 'bool', 'p'),
    ],
    run: actions.logs,
  },
  {
    names: ['pods'],
    usage: 'List pods',
    flags: [
      ...LISTS,
      flag('name', 'string'),
      flag('namespace', 'string'),
      flag('id', 'string'),
      flag('state', 'string', 's'),
      flag('label', 'string'),
    ],
    run: pods,
  },
  {
    names: ['ps'],
    usage: 'List containers',
    flags: [
      ...LISTS,
      ALL,
      flag('name', 'string'),
      flag('namespace', 'string'),
      flag('id', 'string'),
      flag('state', 'string', 's'),
      flag('pod', 'string', 'p'),
      flag('image', 'string'),
    ],
    run: ps,
  },
  {names: ['pull'], usage: 'Pull an image from a registry', flags: [flag('creds', 'string')], run: actions.pull},
  {names: ['rm'], usage: 'Remove one or more containers', flags: [ALL, flag('force', 'bool', 'f')], run: actions.remove},
  {names: ['rmi'], usage: 'Remove one or more images', flags: [ALL, flag('prune', 'bool', 'q')], run: actions.removeImage},
  {names: ['rmp'], usage: 'Remove one or more pods', flags: [ALL, flag('force', 'bool', 'f')], run: actions.removePod},
  {
    names: ['stats'],
    usage: 'List container(s) resource usage statistics',
    flags: [...LISTS, ALL, flag('id', 'string')],
    run: stats,
  },
  {
    names: ['statsp'],
    usage: "List pod statistics. Stats represent a structured API that will fulfill the Kubelet's /stats/summary endpoint.",
    flags: [...LISTS, ALL, flag('id', 'string')],
    run: podStats,
  },
  {names: ['stop'], usage: 'Stop one or more running containers', flags: [flag('timeout', 'int', 't')], run: actions.stop},
  {names: ['stopp'], usage: 'Stop one or more running pods', flags: [ALL], run: actions.stopPod},
  {names: ['version'], usage: 'Display runtime version information', flags: [], run: actions.version},
];

/** The program. */
export const crictl: Program = async process => {
  try {
    return await run(process);
  } catch (error) {
    if (!(error instanceof Fatal)) throw error;
    await process.err(fatalLine(process, error.message));
    return 1;
  }
};

/** To a terminal in short, else as logfmt. */
function fatalLine(process: Process, message: string): string {
  if (process.streams.get(2)?.isTerminal) return `FATA[0000] ${message} \n`;
  const time = `${new Date(Math.floor(process.machine.wall())).toISOString().slice(0, 19)}Z`;
  return `time="${time}" level=fatal msg=${JSON.stringify(message)}\n`;
}

async function run(process: Process): Promise<number> {
  const {before, name, after} = split(process.argv.slice(1));
  const command = COMMANDS.find(each => each.names.includes(name));
  const global = readFlags(before, GLOBAL);
  if (!global.ok) throw new Fatal(global.message);
  if (name === '--version' || name === '-v') {
    await process.out('crictl version v1.35.0\n');
    return 0;
  }
  if (!command) {
    if (name !== '' && !name.startsWith('-') && name !== 'help') throw new Fatal(`unknown command: ${name}`);
    await process.out(helpText());
    return 0;
  }
  const {own, rest} = command.names[0] === 'exec' ? untilCommand(after) : {own: after, rest: []};
  const read = readFlags(own, [
    ...command.flags,
    ...GLOBAL.filter(each => !command.flags.some(other => other.name === each.name || other.short === each.short)),
  ]);
  if (!read.ok) throw new Fatal(read.message);
  const runtime = new RuntimeConnection(process, global.flags.text('runtime-endpoint'));
  await runtime.check();
  return (await command.run({process, runtime, words: [...read.words, ...rest], flags: read.flags})) ?? 0;
}

/** The flags before the command's name, the name, and what follows. */
function split(words: readonly string[]): {before: readonly string[]; name: string; after: readonly string[]} {
  let at = 0;
  while (
    at < words.length &&
    words[at]?.startsWith('-') &&
    words[at] !== '--version' &&
    words[at] !== '-v' &&
    words[at] !== '--help'
  ) {
    const word = words[at] ?? '';
    at += word.includes('=') || word === '-D' || word === '--debug' ? 1 : 2;
  }
  return {before: words.slice(0, at), name: words[at] ?? '', after: words.slice(at + 1)};
}

/** Of `exec` only what stands before the container is crictl's. */
function untilCommand(words: readonly string[]): {own: readonly string[]; rest: readonly string[]} {
  let at = 0;
  while (at < words.length && words[at]?.startsWith('-'))
    at += words[at]?.startsWith('--timeout') && !words[at]?.includes('=') ? 2 : 1;
  return {own: words.slice(0, at), rest: words.slice(at)};
}

function helpText(): string {
  const list = COMMANDS.map(({names, usage}) => `   ${names.join(', ').padEnd(20)} ${usage}\n`).join('');
  return `NAME:\n   crictl - client for CRI\n\nUSAGE:\n   crictl [global options] command [command options]\n\nVERSION:\n   v1.35.0\n\nCOMMANDS:\n${list}`;
}
