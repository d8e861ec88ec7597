// `kubectl get -o yaml|json|name|jsonpath|…`: one object as it is, several as a List.
import type {AnyObject} from '../../../api/meta/object.ts';
import {Failure, gather} from '../../failure.ts';
import {printerOf} from '../../print/printer.ts';
import {sortBy} from '../../print/sort.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {selectionOf} from './asking.ts';

/** Prints what was chosen in the form that `-o` names. */
export async function getGeneric(session: Session): Promise<Outcome> {
  const {flags} = session;
  const printer = printerOf(session, {tables: true});
  if (printer instanceof Failure) return printer;
  const selected = await select(session, selectionOf(session, 'object'));
  if (selected instanceof Failure) return selected;
  const ignoring = flags.on('ignore-not-found');
  const failures = ignoring ? selected.failures.filter(failure => !failure.is('NotFound')) : selected.failures;
  if ((selected.isSingle || isOneFile(session)) && failures.length > 0) return gather(failures);
  const objects = selected.found.flatMap(({object}) => (object ? [object] : []));
  if (objects.length === 0 && ignoring) return gather(failures);
  const ordered =
    flags.text('sort-by') === ''
      ? objects
      : sortBy(objects, {process: session.process, path: flags.text('sort-by'), of: 'objects', objectOf: object => object});
  if (ordered instanceof Failure) return ordered;
  const [only] = ordered;
  const text = printer(selected.isSingle && only ? only : listObject(ordered));
  if (text instanceof Failure) return text;
  await session.out(text);
  return gather(failures);
}

/** One file stands for one object, whatever is in it. */
function isOneFile({files, process}: Session): boolean {
  const [only, ...more] = files;
  if (typeof only !== 'string' || more.length > 0) return false;
  return only !== '-' && !process.machine.files.isFolder(process.path(only));
}

/** Several objects as a `v1 List`. */
export function listObject(items: readonly AnyObject[]): AnyObject {
  return {apiVersion: 'v1', kind: 'List', metadata: {resourceVersion: ''}, items} as unknown as AnyObject;
}
