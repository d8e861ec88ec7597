// `~`, `~user`, `~+` and `~-`.
import type {Shell} from '../state/shell.ts';

/** What a tilde at the start of a word stands for; the text itself where nobody is called so. */
export function expandTilde(shell: Shell, user: string | null): string {
  if (user === null || user === '')
    return shell.variables.text('HOME') ?? homeOf(shell, shell.variables.text('USER') ?? 'root') ?? '/';
  if (user === '+') return shell.process.folder;
  if (user === '-') return shell.variables.text('OLDPWD') ?? '~-';
  return homeOf(shell, user) ?? `~${user}`;
}

function homeOf(shell: Shell, user: string): string | undefined {
  const {files} = shell.process.machine;
  for (const line of (files.read('/etc/passwd') ?? '').split('\n')) {
    const columns = line.split(':');
    if (columns[0] === user) return columns[5];
  }
  if (user === 'root') return '/root';
  return files.isFolder(`/home/${user}`) ? `/home/${user}` : undefined;
}
