// An object by its kind and name: `deployment.apps/web`, and what was done to it.
import {splitApiVersion, type AnyObject} from '../../api/meta/object.ts';
import {kindWord} from '../resources/kinds.ts';

/** `deployment.apps/web`. */
export function nameOf(object: AnyObject): string {
  const {group} = splitApiVersion(object.apiVersion);
  return `${kindWord({group, kind: object.kind})}/${object.metadata?.name ?? '<unknown>'}`;
}

/** `deployment.apps/web created`, as a line. */
export function nameLine(object: AnyObject, operation: string): string {
  return `${nameOf(object)}${operation === '' ? '' : ` ${operation}`}\n`;
}
