// `vi FILE` (and nano, edit): hands the file to the screen's editor and waits until the player has saved or left it. What the
// editor answers is written to the file; without a screen there is no editor, and that is said.
import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import type {Program} from '../../sim/process/machine.ts';

/** A file that a program wants edited; `answer` gets the new text, or undefined when the player left without saving. */
export interface EditRequest {
  /** As it was called: `vi`, `nano`. */
  readonly program: string;
  readonly path: string;
  readonly text: string;
  readonly answer: (text: string | undefined) => void;
}

/** Opens the editor of the screen; false where there is no screen. */
type OpenEditor = (request: EditRequest) => boolean;

/** Makes the program. */
export function makeVi(open: OpenEditor): Program {
  return async process => {
    const [name = 'vi', ...words] = process.argv;
    const [file] = words.filter(word => !/^[-+]/.test(word));
    if (file === undefined) {
      await process.err(`${name}: which file? ${name} FILE\n`);
      return 2;
    }
    const path = process.path(file);
    const {files} = process.machine;
    if (files.isFolder(path)) {
      await process.err(`${name}: ${file} is a folder\n`);
      return 1;
    }
    const state: {done: boolean; text: string | undefined; wake: () => void} = {
      done: false,
      text: undefined,
      wake: () => undefined,
    };
    const answer = (text: string | undefined): void => {
      Object.assign(state, {done: true, text});
      state.wake();
    };
    const opened = open({program: name.split('/').at(-1) ?? name, path, text: files.read(path) ?? '', answer});
    if (!opened) {
      await process.err(`${name}: there is no screen to edit on; use sed -i, or a here-document: cat > ${file} <<'EOF'\n`);
      return 1;
    }
    while (!state.done) await process.block(wake => (state.wake = wake));
    if (state.text === undefined) return 0;
    const failed = files.write(path, state.text);
    if (!failed) return 0;
    await process.err(`${name}: ${file}: ${FILE_ERROR_TEXT[failed]}\n`);
    return 1;
  };
}
