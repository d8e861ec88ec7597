// What the real kubectl of the development dependency says without a server: the help of every command, the options of all, and the
// scripts for shells. It is not kept here: the pages are asked for when the bundle is made, where that kubectl runs, and remembered
// beside the unpacked program.
import {execFile} from 'node:child_process';
import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {oracle} from '../serve/oracle.ts';

const run = promisify(execFile);

/** The machine has more to do than this. */
const AT_ONCE = 2;
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];
const NO_MORE_THAN = 4_000_000;

/** By what is typed after `kubectl`. The player's home stands in them as `~`. Empty where the real kubectl cannot run. */
export async function readPages(): Promise<Readonly<Record<string, string>>> {
  const folder = oracle();
  if (folder === undefined) return {};
  const kept = join(folder, 'pages-2.json');
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Readonly<Record<string, string>>;
  const pages = await askFor(join(folder, 'kubectl'));
  const fresh = `${kept}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(pages));
  renameSync(fresh, kept);
  return pages;
}

/** Asks for what is known, and for the commands that its pages name. */
async function askFor(kubectl: string): Promise<Readonly<Record<string, string>>> {
  const pages: Record<string, string> = {};
  const waiting = ['options', 'help --help', 'options --help', ...SHELLS.map(shell => `completion ${shell}`)];
  const ask = async (words: string): Promise<void> => {
    const {stdout} = await run(kubectl, words.split(' '), {env: {HOME: '~'}, maxBuffer: NO_MORE_THAN});
    pages[words] = stdout;
    if (words.endsWith('--help')) for (const name of commandsOf(stdout)) waiting.push(words.replace(/--help$/, `${name} --help`));
  };
  const askAll = async (): Promise<void> => {
    for (let words = waiting.shift(); words !== undefined; words = waiting.shift()) await ask(words);
  };
  // The first page names most of the others.
  await ask('--help');
  await Promise.all(Array.from({length: AT_ONCE}, askAll));
  return Object.fromEntries(Object.entries(pages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The commands that a page lists, under one heading or several. */
function commandsOf(page: string): readonly string[] {
  const sections = page.split('\n\n').filter(section => /^[A-Z].*Commands.*:$/m.test(section.split('\n')[0] ?? ''));
  return sections.flatMap(section => Array.from(section.matchAll(/^ {2}([a-z-]+) {2,}\S/gm), ([, name = '']) => name));
}
