// What is wrong with a YAML text, for the editor: the first problem and its place.
import {parseAllDocuments, LineCounter} from 'yaml';

export interface YamlProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first problem of a text; undefined where it is good YAML. */
export function yamlProblem(text: string): YamlProblem | undefined {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {lineCounter, prettyErrors: false, uniqueKeys: true});
  const [error] = Array.isArray(documents) ? documents.flatMap(document => document.errors) : [];
  if (!error) return undefined;
  const {line, col} = lineCounter.linePos(error.pos[0]);
  return {line, column: col, message: error.message.split('\n')[0] ?? 'this is not YAML'};
}
