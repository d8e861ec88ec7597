import {parseDocument, stringify} from 'yaml';
import {sortKeys} from './json.ts';
/** TEMP */
export function readYaml(text: string): {readonly value: unknown} | {readonly error: string} {
  const document = parseDocument(text, {version: '1.1'});
  const [error] = document.errors;
  return error ? {error: `yaml: ${error.message}`} : {value: document.toJS()};
}
/** TEMP */
export function printYaml(value: unknown): string {
  return stringify(sortKeys(value), {indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false});
}
