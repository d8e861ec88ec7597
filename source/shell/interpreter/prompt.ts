// The interactive shell: prompt, line, run, and what became of the jobs. `^C` drops the line that is being typed, or ends what
// runs; the shell itself lives on.
import {INTERRUPTED} from '../../sim/process/process.ts';
import {promptText} from '../expansion/prompts.ts';
import type {Shell} from '../state/shell.ts';
import {statusOfSignal} from '../state/shell.ts';
import {wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {tellEnded} from '../builtins/jobs.ts';
import {terminalOf} from './foreground.ts';
import {isUnfinished, runText} from './script.ts';
import {expandHistory} from './history-expansion.ts';
import {armAll, runTraps} from './traps.ts';

/** What /etc/profile gives to a login shell: it says on whose machine one is. */
const LOGIN_PROMPT = String.raw`\u@\h:\w\$ `;

/** Runs until `exit` or the end of what is typed. */
export function* runPrompt(shell: Shell): Steps {
  shell.isInteractive = true;
  shell.options.set('monitor', true);
  shell.options.set('history', true);
  shell.options.set('histexpand', true);
  const terminal = terminalOf(shell);
  if (terminal) terminal.foreground = shell.process.group;
  armAll(shell);
  if (shell.variables.text('PS1') === undefined) shell.variables.setText('PS1', isLogin(shell) ? LOGIN_PROMPT : '$ ');
  if (shell.variables.text('PS2') === undefined) shell.variables.setText('PS2', '> ');
  yield* runStartFile(shell);
  for (;;) {
    yield* tellEnded(shell);
    const text = yield* readCommand(shell);
    if (text === undefined) break;
    const line = text.trim();
    if (line !== '') remember(shell, line);
    yield* runText(shell, text, {isTop: true});
    shell.lineBase = 0;
    if (shell.unwind?.kind === 'exit') return;
    shell.unwind = undefined;
    shell.loops = 0;
  }
  yield* shell.printError(isLogin(shell) ? 'logout\n' : 'exit\n');
}

function isLogin(shell: Shell): boolean {
  return shell.options.shopt('login_shell');
}

/** Runs ~/.bashrc where there is one. */
function* runStartFile(shell: Shell): Steps {
  const text = shell.process.machine.files.read(`${shell.variables.text('HOME') ?? ''}/.bashrc`);
  if (text === undefined) return;
  yield* runText(shell, text, {origin: '.bashrc'});
  shell.unwind = undefined;
}

/** A whole command, over several lines where it needs them; undefined at the end. */
function* readCommand(shell: Shell): Steps<string | undefined> {
  let text = '';
  for (;;) {
    yield* shell.printError(promptText(shell, shell.variables.text(text === '' ? 'PS1' : 'PS2') ?? '$ '));
    // What was typed while something else ran stands above the prompt; here it is shown again, as the command that it now becomes.
    const ahead = terminalOf(shell)?.typedAhead ?? '';
    if (ahead !== '') yield* shell.printError(ahead);
    const line = yield* readTyped(shell);
    if (line === INTERRUPTED) {
      text = '';
      continue;
    }
    if (line === null) {
      if (text === '') return undefined;
      return text;
    }
    const whole = text === '' ? yield* withHistory(shell, line) : line;
    if (whole === undefined) continue;
    text += whole;
    if (!isUnfinished(text)) return text;
  }
}

/** The same line twice is one of them, as with the HISTCONTROL that most systems set. */
function remember(shell: Shell, line: string): void {
  if (shell.options.has('history') && line !== shell.history.at(-1)) shell.history.push(line);
}

/** A line with the earlier ones that it names, shown as it runs; undefined when it does not run. */
function* withHistory(shell: Shell, line: string): Steps<string | undefined> {
  if (!shell.options.has('histexpand')) return line;
  const expanded = expandHistory(line, shell.history);
  if ('missing' in expanded) {
    yield* shell.printError(`bash: ${expanded.missing}: ${expanded.because}\n`);
    return undefined;
  }
  if (expanded.shown) yield* shell.printError(expanded.text);
  if (!expanded.onlyShown) return expanded.text;
  remember(shell, expanded.text.trim());
  return undefined;
}

/** A line that is typed; INTERRUPTED after `^C`. */
function* readTyped(shell: Shell): Steps<string | null | typeof INTERRUPTED> {
  let text = '';
  for (;;) {
    const part = yield* wait(shell.process.read(0));
    if (part === INTERRUPTED) {
      yield* runTraps(shell);
      if (!shell.unwind) continue;
      shell.unwind = undefined;
      shell.status = statusOfSignal('INT');
      return INTERRUPTED;
    }
    if (part === null) return text === '' ? null : text;
    text += part;
    const end = text.indexOf('\n');
    if (end < 0) continue;
    shell.process.streams.get(0)?.unread(text.slice(end + 1));
    return text.slice(0, end + 1);
  }
}
