// The loop of an edit: the text is shown until it can be saved, or until the player leaves it as it was. A text that could not
// be saved is shown again with the reasons at its head; when it comes back unchanged, the edit is given up and the text kept.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, failRaw} from '../../failure.ts';
import {qualifiedName} from '../../resources/kinds.ts';
import type {Found} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import {readObjects} from './check.ts';
import {editText, type Edited} from './editor.ts';
import {bodyOf, headOf, withoutComments, type Reason} from './text.ts';

/** How the edited objects were taken. */
export interface Saving {
  /** Objects that the server found invalid: edited again. */
  readonly reasons: readonly Reason[];
  /** Objects that could not be saved for another reason, and ones that are gone. */
  readonly retryable: number;
  readonly notFound: number;
}

export interface EditWish {
  /** What is edited, as it is now. */
  readonly found: readonly Found[];
  readonly objects: readonly AnyObject[];
  readonly what: 'object' | 'record';
  readonly asJson: boolean;
  /** Sends the edited objects; a Failure ends the edit. */
  readonly save: (objects: readonly AnyObject[]) => Promise<Saving | Failure>;
}

/** Edits until the objects are saved or left alone. */
export async function editLoop(session: Session, wish: EditWish): Promise<Failure | undefined> {
  const extension = wish.asJson ? 'json' : 'yaml';
  const original = bodyOf(wish.objects, wish.asJson);
  let last: Edited | undefined;
  let reasons: readonly Reason[] = [];
  for (;;) {
    const shown = `${headOf(wish.what, reasons, wish.asJson)}${last ? withoutComments(last.text) : original}`;
    const edited = await editText(session, shown, extension);
    if (edited instanceof Failure) return last ? kept(session, last, edited) : edited;
    if (last && withoutComments(last.text) === withoutComments(edited.text))
      return kept(session, edited, fail('Edit cancelled, no valid changes were saved.'));
    if (last) drop(session, last);
    const step = await takeStep(session, wish, {original, edited});
    if (step instanceof Failure || step === undefined) return step;
    reasons = step;
    last = edited;
  }
}

/** The reasons to edit again; undefined when all is done. */
async function takeStep(
  session: Session,
  wish: EditWish,
  {original, edited}: {original: string; edited: Edited},
): Promise<readonly Reason[] | Failure | undefined> {
  const text = withoutComments(edited.text);
  const read = readObjects(text);
  if ('error' in read) {
    const [first] = wish.found;
    await session.err(`error: ${first ? qualifiedName(first.kind) : ''} ${JSON.stringify(first?.name ?? '')} is invalid\n`);
    return [
      {
        head: `${first ? qualifiedName(first.kind) : ''} ${JSON.stringify(first?.name ?? '')} was not valid`,
        details: [`<nil>: Invalid value: "The edited file failed validation": ${read.error}`],
      },
    ];
  }
  if (text === withoutComments(original)) {
    drop(session, edited);
    await session.err('Edit cancelled, no changes made.\n');
    return undefined;
  }
  const saving = await wish.save(read.objects);
  if (saving instanceof Failure) return kept(session, edited, saving);
  if (saving.retryable > 0) {
    await session.err(`You can run \`kubectl replace -f ${edited.path}\` to try this update again.\n`);
    return failRaw('');
  }
  if (saving.notFound > 0) {
    await session.err(`The edits you made on deleted resources have been saved to ${JSON.stringify(edited.path)}\n`);
    return failRaw('');
  }
  if (saving.reasons.length > 0) return saving.reasons;
  drop(session, edited);
  return undefined;
}

async function kept(session: Session, {path}: Edited, failure: Failure): Promise<Failure> {
  await session.err(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
  return failure;
}

function drop(session: Session, {path}: Edited): void {
  session.process.machine.files.remove(path);
}
