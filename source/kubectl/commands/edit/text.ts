// The text that the player edits: a head of comments, and the objects.
import type {AnyObject} from '../../../api/meta/object.ts';
import {printYaml} from '../../../api/yaml/print.ts';
import {indentedJson} from '../../print/json.ts';
import {withNulls, withoutManagedFields} from '../../print/printer.ts';

/** What is wrong with the text as it was saved. */
export interface Reason {
  readonly head: string;
  readonly details: readonly string[];
}

const OBJECT_HEAD = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

const RECORD_HEAD = `# Please edit the 'last-applied-configuration' annotations below.
# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.
#
`;

/** The comments at the head; JSON has none. */
export function headOf(what: 'object' | 'record', reasons: readonly Reason[], asJson: boolean): string {
  if (asJson) return '';
  const text = reasons.map(
    ({head, details}) =>
      `# ${onLines(head)}${details.length > 0 ? ':' : ''}\n${details.map(detail => `# * ${onLines(detail)}\n`).join('')}#\n`,
  );
  return `${what === 'object' ? OBJECT_HEAD : RECORD_HEAD}${text.join('')}`;
}

function onLines(text: string): string {
  return text.replaceAll('\n', '\n# ');
}

/** One object as it is, several as a list. */
export function bodyOf(objects: readonly AnyObject[], asJson: boolean): string {
  const [only] = objects;
  const whole =
    objects.length === 1 && only
      ? withNulls(withoutManagedFields(only))
      : {apiVersion: 'v1', items: objects.map(object => withNulls(withoutManagedFields(object))), kind: 'List', metadata: {}};
  return asJson ? `${indentedJson(whole)}\n` : printYaml(whole);
}

/** The text without its comments. */
export function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n');
}
