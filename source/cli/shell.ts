// `crashloop shell`: the player's shell without a screen. Line mode for people and screen readers, JSON lines for programs.
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {LineShell, openShell} from '../game/line-shell.ts';
import type {Command, Typed} from './command.ts';
import {numberFlag, UsageError} from './command.ts';
import {openLevel} from './level-files.ts';
import {nodesFrom} from './nodes.ts';

export const shell: Command = {
  name: 'shell',
  usage: 'shell [LEVEL | --nodes FILE] [--host NODE] [--json] [--seed N]',
  summary: 'the same cluster and the same shell without a screen: lines for people, JSON lines for programs',
  flags: [
    {name: 'nodes', value: 'FILE', says: 'a v1 List of Nodes: a bare cluster with a machine for each'},
    {name: 'host', value: 'NODE', says: 'type as root on that node'},
    {name: 'json', says: 'reads one JSON request a line, answers each with one line'},
    {name: 'seed', value: 'N', says: "another chance than the level's own"},
  ],
  words: {least: 0, most: 1},
  examples: ['crashloop shell nine-nodes-no-room', 'echo \'{"run": "kubectl get nodes"}\' | crashloop shell --json'],
  async run(typed) {
    const session = await open(typed);
    const host = typeof typed.flags['host'] === 'string' ? typed.flags['host'] : undefined;
    return typed.flags['json'] === true ? answerLines(session, host) : talk(session, host);
  },
};

async function open({flags, words}: Typed): Promise<LineShell> {
  const [level] = words;
  const nodes = flags['nodes'];
  if (level !== undefined && nodes !== undefined) throw new UsageError('crashloop shell: give a LEVEL or --nodes FILE, not both');
  const seed = numberFlag({flags, words}, 'seed');
  const common = {hostNow: () => performance.now(), ...(seed === undefined ? {} : {seed})};
  if (level !== undefined) return openShell({...common, level: (await openLevel(level)).level});
  return openShell(typeof nodes === 'string' ? {...common, nodes: nodesFrom(readNodes(nodes), nodes)} : common);
}

function readNodes(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`crashloop shell: there is no file ${path}`);
  }
}

/** JSON lines: answered in order, one after the other. */
async function answerLines(session: LineShell, host: string | undefined): Promise<number> {
  for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
    if (line.trim() === '') continue;
    process.stdout.write(`${JSON.stringify(await session.answer(line, host))}\n`);
  }
  return 0;
}

/** Lines for people: a command a line, its output, and the goals whenever one of them changes. */
async function talk(session: LineShell, host: string | undefined): Promise<number> {
  const interactive = process.stdin.isTTY === true;
  if (session.greeting !== '') process.stdout.write(`${session.greeting}\n`);
  const lines = createInterface({
    input: process.stdin,
    output: interactive ? process.stdout : undefined,
    prompt: '$ ',
    terminal: interactive,
  });
  lines.prompt();
  let code = 0;
  for await (const line of lines) {
    if (line.trim() === 'exit') break;
    const said = await session.say(line, host);
    process.stdout.write(said.out);
    process.stderr.write(said.err);
    code = said.code;
    if (said.news !== '') process.stdout.write(`${said.news}\n`);
    lines.prompt();
  }
  lines.close();
  return session.hasGoals ? (session.won ? 0 : 1) : code;
}
