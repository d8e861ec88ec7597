// jq, column, join and other text tools as programs: their input is taken whole, then just-bash does the work.
import {closeDescriptor, openToRead, takeDescriptor} from '../../sim/process/open.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {readWhole} from './input.ts';

/** How a tool's arguments are read, as far as one must know which of them are files. */
interface Tool {
  /** Letters of options that take the next argument. */
  readonly values: string;
  /** Long options that take one further argument, or two. */
  readonly long?: Readonly<Record<string, number>>;
  /** Operands before the files: the script of jq, yq; none when it is given by one of these letters. */
  readonly scripts?: number;
  readonly scriptLetters?: string;
  readonly neverReads?: boolean;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  jq: {values: 'fL', scripts: 1, scriptLetters: 'f', long: {arg: 2, argjson: 2, slurpfile: 2, rawfile: 2, indent: 1}},
  yq: {values: 'po', scripts: 1},
  column: {values: 'sotNcHR'},
  comm: {values: ''},
  nl: {values: 'bdfhilnsvw'},
  rev: {values: ''},
  fold: {values: 'w'},
  expand: {values: 't'},
  unexpand: {values: 't'},
  expr: {values: '', neverReads: true},
  strings: {values: 'nt'},
  join: {values: '12ajteo'},
  od: {values: 'ANtjw'},
  split: {values: 'lbn'},
  tree: {values: 'LPI', neverReads: true},
  file: {values: '', neverReads: true},
};

/** The names of the tools. */
export const textToolNames: readonly string[] = Object.keys(TOOLS);

/** Virtual CPU milliseconds of a run, of a character of input, and of a step while a tool never ends. */
const RUN_COST_MS = 0.2;
const CHARACTER_COST_MS = 0.00005;
const ENDLESS_STEP_MS = 50;

/** Makes the program for one tool. */
export function textTool(name: string): Program {
  return async process => {
    const args = adapted(name, process, process.argv.slice(1));
    const reading = readingOf(name, args);
    const texts = new Map<string, string>();
    for (const path of reading.files.filter(file => /^\/dev\/(stdin|fd\/\d+|zero|tty)$/.test(file))) {
      texts.set(path, await readPath(process, path));
    }
    const input = reading.readsInput ? await readWhole(process, 0) : '';
    await process.cpu(RUN_COST_MS + input.length * CHARACTER_COST_MS);
    const {runTool} = await import('./just-bash.ts');
    const result = await runTool(process, {name, args, input, texts});
    if (result.isEndless) for (;;) await process.cpu(ENDLESS_STEP_MS);
    await process.out(result.out);
    await process.err(result.err);
    return result.code;
  };
}

async function readPath(process: Process, path: string): Promise<string> {
  const opened = openToRead(process, path);
  if (!opened.ok) return '';
  const fd = takeDescriptor(process, opened.stream);
  const text = await readWhole(process, fd);
  closeDescriptor(process, fd);
  return text;
}

interface Reading {
  readonly readsInput: boolean;
  readonly files: readonly string[];
}

function readingOf(name: string, args: readonly string[]): Reading {
  const tool = TOOLS[name] ?? {values: ''};
  const operands: string[] = [];
  let scripts = tool.scripts ?? 0;
  let isNull = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const long = arg.slice(2).split('=')[0] ?? '';
      if (long === 'null-input') isNull = true;
      if (tool.scriptLetters && (long === 'expression' || long === 'file' || long === 'from-file')) scripts = 0;
      if (!arg.includes('=')) at += tool.long?.[long] ?? 0;
    } else if (arg.startsWith('-') && arg.length > 1) {
      if (name === 'jq' && /^-[a-zA-Z]*n/.test(arg)) isNull = true;
      const at2 = arg
        .slice(1)
        .split('')
        .findIndex(letter => tool.values.includes(letter));
      if (at2 < 0) continue;
      if (tool.scriptLetters?.includes(arg[at2 + 1] ?? '')) scripts = 0;
      if (at2 === arg.length - 2) at++;
    } else operands.push(arg);
  }
  const files = operands.slice(scripts);
  const readsInput = !tool.neverReads && !isNull && (files.length === 0 || files.includes('-'));
  return {readsInput, files};
}

/** Takes the host's clock out of programs. */
function adapted(name: string, process: Process, args: readonly string[]): readonly string[] {
  const seconds = process.machine.wall() / 1000;
  if (name === 'jq' || name === 'yq') return args.map(arg => arg.replace(/(^|[^\w.$"'@])now\b(?!\s*:)/g, `$1${seconds}`));
  return args;
}
