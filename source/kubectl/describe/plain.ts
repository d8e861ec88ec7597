// The page of a kind that has no describer of its own: its fields as they are, with words parted and capitals first.
import {splitApiVersion, type AnyObject} from '../../api/meta/object.ts';
import type {Describer} from './describer.ts';
import {sprint} from '../../api/jsonpath/go-syntax.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels, sortedEntries} from './maps.ts';

const SKIPPED = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.managedFields',
]);

export const describePlainly: Describer = async (object, around) => {
  const lines = new Lines();
  lines.add(0, `Name:\t${object.metadata.name}`);
  lines.add(0, `Namespace:\t${object.metadata.namespace ?? ''}`);
  addLabels(lines, 'Labels', object.metadata.labels);
  addAnnotations(lines, 'Annotations', object.metadata.annotations);
  addFields(lines, object as unknown as Readonly<Record<string, unknown>>, {level: 0, path: ''});
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

interface Place {
  readonly level: number;
  readonly path: string;
}

function addFields(lines: Lines, fields: Readonly<Record<string, unknown>>, {level, path}: Place): void {
  for (const [key, value] of sortedEntries(fields)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (SKIPPED.has(at)) continue;
    if (Array.isArray(value)) addList(lines, titleOf(key), {values: value, level, path: at});
    else if (typeof value === 'object' && value !== null) {
      lines.add(level, `${titleOf(key)}:`);
      addFields(lines, value as Readonly<Record<string, unknown>>, {level: level + 1, path: at});
    } else lines.add(level, `${titleOf(key)}:\t${sprint(value)}`);
  }
}

function addList(
  lines: Lines,
  title: string,
  {values, level, path}: {values: readonly unknown[]; level: number; path: string},
): void {
  lines.add(level, `${title}:`);
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      addFields(lines, value as Readonly<Record<string, unknown>>, {level: level + 1, path});
    else lines.add(level + 1, sprint(value));
  }
}

const ACRONYMS = ['API', 'URL', 'UID', 'OSB', 'GUID'];

/** `apiVersion` becomes `API Version`: words are parted where letters change their sort. A key with digits or other signs stays. */
function titleOf(key: string): string {
  if (/[^\p{L}-]/u.test(key)) return key;
  const words = key.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}|-+/gu) ?? [key];
  return words
    .map(word =>
      ACRONYMS.includes(word.toUpperCase()) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join(' ');
}

/** The group of an object's kind. */
export function groupOf(object: AnyObject): string {
  return splitApiVersion(object.apiVersion).group;
}
