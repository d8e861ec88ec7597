// `help`: what can be typed here, in one screen.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

const COLUMNS = 80;

/** `help [name]` */
export function* help(shell: Shell, args: readonly string[]): Steps<number> {
  const {machine} = shell.process;
  const [name] = args.filter(arg => !arg.startsWith('-'));
  if (name !== undefined) {
    if (shell.interpreter.builtins.has(name)) yield* shell.print(`${name} is a command of bash itself.\n`);
    else if (machine.program(name)) yield* shell.print(`${name} is a program; try: ${name} --help\n`);
    else
      return yield* shell.complain(
        `help: no help topics match \`${name}'.  Try \`help help' or \`man -k ${name}' or \`info ${name}'.`,
      );
    return 0;
  }
  const builtins = [...shell.interpreter.builtins.keys()].filter(each => /^[a-z]/.test(each)).sort();
  yield* shell.print(`This is bash on ${machine.name}. It has pipes, variables, loops, functions, jobs and traps.\n`);
  yield* shell.print(`Up and Down bring back lines, Tab completes, Ctrl-C ends what runs, Ctrl-D leaves.\n\n`);
  yield* shell.print(`Programs:\n${wrapped(machine.programNames())}\nCommands of bash itself:\n${wrapped(builtins)}\n`);
  return 0;
}

function wrapped(words: readonly string[]): string {
  let text = '';
  let line = ' ';
  for (const word of words) {
    if (line.length + word.length + 1 > COLUMNS) {
      text += `${line}\n`;
      line = ' ';
    }
    line += ` ${word}`;
  }
  return `${text}${line}\n`;
}
