// awk: the language of POSIX with what players know of mawk and gawk (gensub, strftime, groups of match, nextfile, RS as an
// expression). Not: gawk's arrays of arrays, its sorting and its libraries.
import {closeDescriptor, openToRead, takeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {drive, wait} from '../../state/steps.ts';
import type {Steps} from '../../state/steps.ts';
import {makeProgram} from '../arguments.ts';
import type {Given} from '../arguments.ts';
import {readWhole} from '../input.ts';
import {callBuiltin, holds} from './call.ts';
import {execute} from './execute.ts';
import {Left, Machine} from './machine.ts';
import type {Leave} from './machine.ts';
import {parseAwk} from './parse.ts';
import {AwkProblem, unescaped} from './tokens.ts';
import type {AwkProgram, Rule} from './tree.ts';
import {fromOutside} from './values.ts';

const USAGE = 'usage: awk [-F value] [-v var=value] [-f program-file | "program"] [file ...]\n';

/** `awk [-F separator] [-v name=value]… {program | -f file} [file | name=value]…` */
export const awk = makeProgram(
  {
    name: 'awk',
    synopsis: '[-F value] [-v var=value] [-f program-file | program] [file ...]',
    summary: 'Does what a program says with each record of its input.',
    letters: 'F:v:f:W:',
    long: {'field-separator': 'F', assign: 'v', file: 'f'},
    failure: 2,
    inOrder: true,
  },
  async (process, given) => {
    if (given.has('version')) {
      await process.out('mawk 1.3.4 20200120\n');
      return 0;
    }
    const operands = [...given.operands];
    const source = given.has('f') ? await sourceOf(process, given) : operands.shift();
    if (source === undefined) {
      if (!given.has('f')) await process.err(USAGE);
      return 2;
    }
    let program: AwkProgram;
    try {
      program = parseAwk(source);
    } catch (failure) {
      if (failure instanceof AwkProblem) return refuse(process, failure);
      throw failure;
    }
    const machine = new Machine(process, program, {execute, call: callBuiltin});
    const separator = given.value('F');
    if (separator !== undefined) machine.setVariable('FS', separator === 't' ? '\t' : unescaped(separator));
    for (const text of given.values('v')) {
      if (!machine.assignText(text)) return refuse(process, new AwkProblem(`improper assignment: -v ${text}`));
    }
    const argv = ['awk', ...operands];
    for (const [index, text] of argv.entries()) machine.cell('ARGV').array.set(String(index), fromOutside(text));
    machine.setVariable('ARGC', argv.length);
    return run(machine);
  },
);

async function refuse(process: Process, problem: AwkProblem): Promise<number> {
  await process.err(`awk: ${problem.message}\n`);
  return 2;
}

async function sourceOf(process: Process, given: Given): Promise<string | undefined> {
  let source = '';
  for (const name of given.values('f')) {
    const opened = openToRead(process, name === '-' ? '/dev/stdin' : name);
    if (!opened.ok) {
      await process.err(`awk: cannot open ${name} (${opened.text})\n`);
      return undefined;
    }
    const fd = takeDescriptor(process, opened.stream);
    source += `${await readWhole(process, fd)}\n`;
    closeDescriptor(process, fd);
  }
  return source;
}

async function run(machine: Machine): Promise<number> {
  try {
    await drive(runRules(machine));
    await machine.channels.closeAll();
  } catch (failure) {
    const isDeep = failure instanceof RangeError;
    if (!(failure instanceof AwkProblem) && !isDeep) throw failure;
    await machine.channels.flush();
    return refuse(machine.process, isDeep ? new AwkProblem('program is too deeply nested') : failure);
  }
  return machine.status === 0 && machine.failed ? 2 : machine.status;
}

function* runRules(machine: Machine): Steps {
  const {rules} = machine.program;
  let leave: Leave;
  for (const rule of rules) {
    if (rule.kind !== 'BEGIN' || leave === 'exit') continue;
    leave = yield* runRule(machine, rule);
  }
  const main = rules.filter(rule => rule.kind === 'main');
  const ends = rules.filter(rule => rule.kind === 'END');
  if (leave !== 'exit' && main.length + ends.length > 0) leave = yield* runRecords(machine, main);
  if (leave === 'exit' && rules.every(rule => rule.kind === 'BEGIN')) return;
  for (const rule of ends) if ((yield* runRule(machine, rule)) === 'exit') return;
}

function* runRecords(machine: Machine, main: readonly Rule[]): Steps<Leave> {
  for (;;) {
    const text = yield* wait(machine.nextRecord());
    if (text === undefined) return undefined;
    machine.record.set(text);
    for (const rule of main) {
      if (!(yield* isFor(machine, rule))) continue;
      const leave = yield* runRule(machine, rule);
      if (leave === 'exit') return leave;
      if (leave === 'nextfile') machine.leaveFile();
      if (leave === 'next' || leave === 'nextfile') break;
    }
  }
}

/** Is the rule for this record? A range begins at one and ends at another. */
function* isFor(machine: Machine, rule: Rule): Steps<boolean> {
  if (!rule.first) return true;
  if (!rule.second) return yield* holds(machine, rule.first);
  if (!rule.isOn && !(yield* holds(machine, rule.first))) return false;
  rule.isOn = !(yield* holds(machine, rule.second));
  return true;
}

function* runRule(machine: Machine, {body}: Rule): Steps<Leave> {
  if (!body) return yield* execute(machine, {type: 'print', isFormatted: false, args: [], redirect: undefined});
  try {
    return yield* execute(machine, body);
  } catch (failure) {
    if (failure instanceof Left) return failure.leave;
    throw failure;
  }
}
