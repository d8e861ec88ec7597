// Opens a text in the player's editor: the program that KUBE_EDITOR or EDITOR names, else vi.
import {fail, type Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';

/** A text that was edited, and the file that holds it. */
export interface Edited {
  readonly text: string;
  readonly path: string;
}

/** A file name that no other edit has. */
function freshPath(session: Session, extension: string): string {
  const {machine, pid} = session.process;
  for (let number = pid * 1000; ; number++) {
    const path = `/tmp/kubectl-edit-${number}.${extension}`;
    if (machine.files.info(path) === undefined) return path;
  }
}

/** Lets the player edit a text. */
export async function editText(session: Session, text: string, extension: string): Promise<Edited | Failure> {
  const {process} = session;
  const editor = process.environment.get('KUBE_EDITOR') || process.environment.get('EDITOR') || 'vi';
  const path = freshPath(session, extension);
  const isWindows = session.flags.on('windows-line-endings');
  if (
    process.machine.files.makeFolder('/tmp') ??
    process.machine.files.write(path, isWindows ? text.replaceAll('\n', '\r\n') : text, 0o600)
  )
    return fail(`open ${path}: no space left on device`);
  // An editor with quotes or escapes in its words is for a shell to read.
  const argv = /["'\\]/.test(editor)
    ? ['sh', '-c', `${editor} ${path}`]
    : [...editor.split(' ').filter(word => word !== ''), path];
  const program = process.machine.program(argv[0] ?? '');
  const child = program && process.spawn(program, {argv});
  if (!child) return fail(`unable to launch the editor ${JSON.stringify(editor)}`);
  const code = await process.wait(child);
  if (code !== 0) return fail(`there was a problem with the editor ${JSON.stringify(editor)}`);
  const saved = process.machine.files.read(path) ?? '';
  return {text: isWindows ? saved.replaceAll('\r\n', '\n') : saved, path};
}
