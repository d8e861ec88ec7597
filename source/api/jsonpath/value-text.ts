// One value as a JSONPath template prints it.
import {printJson} from '../yaml/json-print.ts';
import {sprint} from './go-syntax.ts';

/** Text bare, lists and maps as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'object' ? printJson(value, {indent: 0}) : sprint(value);
}
