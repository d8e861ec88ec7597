// What commands that work on many objects select: by name, by label or field, all of a kind, or out of files.
import type {Session} from '../session.ts';
import type {SelectOptions} from './select.ts';

/** By the flags that such commands share; `--local` takes what is in the files as it is. */
export function allOrNamed({flags, files}: Session, args: readonly string[]): SelectOptions {
  return {
    args,
    kindAlone: flags.on('all'),
    asWritten: flags.on('local'),
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    fields: flags.text('field-selector') || undefined,
    files,
    recursive: flags.on('recursive'),
    latest: !flags.on('local'),
  };
}
