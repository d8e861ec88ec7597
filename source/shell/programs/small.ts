// Programs of a line or two.
import {echoText} from '../builtins/echo.ts';
import {format} from '../builtins/printf.ts';
import {askFile, compareFiles, Expression} from '../builtins/test.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {complain, missingOperand} from './output.ts';

/** `true` and `false` */
export const trueProgram: Program = async () => 0;
export const falseProgram: Program = async () => 1;

/** `echo`, as a program */
export const echoProgram: Program = async process => {
  await process.out(echoText(process.argv.slice(1)));
  return 0;
};

/** `printf`, as a program */
export const printfProgram: Program = async process => {
  const [source, ...args] = process.argv.slice(1);
  if (source === undefined) return missingOperand(process, 'printf');
  const now = process.machine.wall();
  const printed = format(source, args, {nowMs: now, startedMs: now});
  await process.out(printed.text);
  for (const words of printed.complaints) await process.err(`printf: ${words}\n`);
  return printed.complaints.length > 0 ? 1 : 0;
};

function evaluates(name: string, args: readonly string[], process: Process): Promise<number> {
  const result = new Expression(args, {
    unary: (operator, operand) => askFile(process, operator, operand),
    compareFiles: (operator, pair) => compareFiles({process}, operator, pair),
  }).whole();
  if (typeof result === 'string') return complain(process, `${name}: ${result}`, 2);
  return Promise.resolve(result ? 0 : 1);
}

/** `test` and `[`, as programs */
export const testProgram: Program = process => evaluates('test', process.argv.slice(1), process);
export const bracketProgram: Program = process => {
  const args = process.argv.slice(1);
  return args.at(-1) === ']' ? evaluates('[', args.slice(0, -1), process) : complain(process, "[: missing ']'", 2);
};

/** `pwd`, as a program */
export const pwdProgram: Program = async process => {
  await process.out(`${process.folder}\n`);
  return 0;
};

/** `hostname [-fisI]` */
export const hostname = makeProgram(
  {
    name: 'hostname',
    synopsis: '[-fs]',
    summary: 'Print the name of this machine.',
    letters: 'afisdI',
    long: {fqdn: 'f', short: 's'},
  },
  async (process, given) => {
    if (given.operands.length > 0) return complain(process, 'hostname: you must be root to change the host name');
    const {name} = process.machine;
    if (given.has('i')) {
      const address = addressIn(process.machine.files.read('/etc/hosts') ?? '', name);
      if (address === undefined) return complain(process, `hostname: ${name}: Name or service not known`);
      await process.out(`${address}\n`);
      return 0;
    }
    if (given.has('f')) {
      await process.out(`${fullNameIn(process.machine.files.read('/etc/hosts') ?? '', name)}\n`);
      return 0;
    }
    await process.out(`${given.has('s') ? (name.split('.')[0] ?? name) : name}\n`);
    return 0;
  },
);

/** The line that a file of hosts has for a name: the address and all its names. */
function lineOf(hosts: string, name: string): readonly string[] | undefined {
  for (const line of hosts.split('\n')) {
    const words = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (words.includes(name, 1)) return words;
  }
  return undefined;
}

function addressIn(hosts: string, name: string): string | undefined {
  return lineOf(hosts, name)?.[0];
}

/** What a machine is called in full: the first of the names that it has there. */
function fullNameIn(hosts: string, name: string): string {
  return lineOf(hosts, name)?.[1] ?? name;
}

/** `clear` */
export const clear: Program = async process => {
  await process.out('\u001b[H\u001b[2J\u001b[3J');
  return 0;
};

/** `uname [-asnrvmo]` */
export const uname = makeProgram(
  {
    name: 'uname',
    synopsis: '[OPTION]...',
    summary: 'Print certain system information.',
    letters: 'asnrvmpio',
    long: {
      all: 'a',
      'kernel-name': 's',
      nodename: 'n',
      'kernel-release': 'r',
      'kernel-version': 'v',
      machine: 'm',
      'operating-system': 'o',
    },
  },
  async (process, given) => {
    const release = process.machine.files.read('/proc/sys/kernel/osrelease')?.trim() ?? '6.12.0';
    const fields: readonly (readonly [string, string])[] = [
      ['s', 'Linux'],
      ['n', process.machine.name],
      ['r', release],
      ['v', '#1 SMP PREEMPT_DYNAMIC'],
      ['m', 'x86_64'],
      ['o', 'GNU/Linux'],
    ];
    const chosen = fields.filter(
      ([letter]) => given.has('a') || given.has(letter) || (given.order.length === 0 && letter === 's'),
    );
    await process.out(`${chosen.map(([, text]) => text).join(' ')}\n`);
    return 0;
  },
);

/** `vi`, where the game gives no editor: editors need a terminal that only the player has. */
export const noEditor: Program = async process => {
  await process.err(`${process.argv[0]}: this machine has no screen to edit on; use sed, or a here-document\n`);
  return 1;
};

/** `sync` and `stty`: nothing to do. */
export const nothing: Program = async () => 0;
