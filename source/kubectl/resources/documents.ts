// The documents of a file: YAML parted by `---`, or JSON values one after the other. What looks like JSON and is not may still
// be YAML.
import {parseJson} from '../../api/schema/parse-json.ts';
import {readYaml} from '../print/yaml.ts';

/** One document, or why it cannot be read. Empty ones are left out. */
export type Document = {readonly value: unknown} | {readonly error: string};

/** All documents of a text. */
export function readDocuments(text: string): Document[] {
  if (/^\s*\{/.test(text)) {
    const json = parseJson(text.trim());
    if ('value' in json) return [json];
    const yaml = readAll(text);
    return yaml.some(document => 'error' in document) ? [{error: `json: ${json.error}`}] : yaml;
  }
  return readAll(text);
}

function readAll(text: string): Document[] {
  const documents: Document[] = [];
  for (const part of text.split(/^---(?=\s|$).*$/m)) {
    const read = readYaml(part);
    if ('error' in read) return [...documents, {error: `error converting YAML to JSON: ${read.error}`}];
    if (read.value !== null && read.value !== undefined) documents.push(read);
  }
  return documents;
}
