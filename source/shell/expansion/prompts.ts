// Prompts: `\u@\h:\w\$ ` and the like.
import type {Shell} from '../state/shell.ts';

/** The prompt that a text like PS1 stands for. Variables in it are not expanded. */
export function promptText(shell: Shell, source: string): string {
  return source.replace(/\\([uhHwW$nstTA@e\\[\]#!j])/g, (_, letter: string) => escape(shell, letter));
}

function escape(shell: Shell, letter: string): string {
  const {process} = shell;
  switch (letter) {
    case 'u':
      return process.machine.identity?.name ?? shell.variables.text('USER') ?? 'root';
    case 'h':
    case 'H':
      return process.machine.name;
    case 'w':
      return shortFolder(shell);
    case 'W':
      return shortFolder(shell).replace(/^.*\/(?=.)/, '');
    case '$':
      return (process.machine.identity?.uid ?? 0) === 0 ? '#' : '$';
    case 'n':
      return '\n';
    case 's':
      return shell.name;
    case 't':
      return new Date(process.machine.wall()).toISOString().slice(11, 19);
    case 'j':
      return String(shell.jobs.all.length);
    case 'e':
      return '\u001b';
    case '\\':
      return '\\';
    default:
      return '';
  }
}

function shortFolder(shell: Shell): string {
  const home = shell.variables.text('HOME');
  const {folder} = shell.process;
  if (home === undefined || home === '' || home === '/') return folder;
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
