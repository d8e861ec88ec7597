// What `kubectl wait --for=…` waits for.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {evaluate} from '../../../api/jsonpath/evaluate.ts';
import {sprint} from '../../../api/jsonpath/go-syntax.ts';
import {parsePath, relaxedPath} from '../../../api/jsonpath/parse.ts';

/** A thing to wait for. `isMet` looks at one state of an object. */
export type Condition =
  | {readonly type: 'create'}
  | {readonly type: 'delete'}
  | {readonly type: 'state'; readonly isMet: (object: AnyObject) => boolean | Failure};

const RELAXED = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";

/** Reads the flag. */
export function readCondition(text: string): Condition | Failure {
  const lower = text.toLowerCase();
  if (lower === 'delete') return {type: 'delete'};
  if (lower === 'create') return {type: 'create'};
  if (text.startsWith('condition=')) return namedCondition(text.slice('condition='.length));
  if (text === 'jsonpath=') return fail('jsonpath expression cannot be empty');
  if (text.startsWith('jsonpath=')) return pathCondition(text.slice('jsonpath='.length));
  return fail(`unrecognized condition: ${JSON.stringify(text)}`);
}

function namedCondition(text: string): Condition {
  const at = text.indexOf('=');
  const name = (at < 0 ? text : text.slice(0, at)).toLowerCase();
  const wanted = (at < 0 ? 'true' : text.slice(at + 1)).toLowerCase();
  return {
    type: 'state',
    isMet: object => {
      const {conditions = [], observedGeneration} = (object.status ?? {}) as {
        conditions?: readonly {type: string; status: string; observedGeneration?: number}[];
        observedGeneration?: number;
      };
      const found = conditions.find(condition => condition.type.toLowerCase() === name);
      if (!found) return false;
      // What was said of an older generation does not count.
      const seen = found.observedGeneration ?? observedGeneration;
      if (seen !== undefined && (object.metadata.generation ?? 0) > seen) return false;
      return found.status.toLowerCase() === wanted;
    },
  };
}

function pathCondition(text: string): Condition | Failure {
  const {path, value} = splitPath(text);
  if (value === '')
    return fail("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3");
  const template = relaxedPath(path);
  if (template === undefined) return fail(RELAXED);
  const parsed = parsePath(template);
  if ('error' in parsed) return fail(parsed.error);
  const isMet = (object: AnyObject): boolean | Failure => {
    const found = evaluate(parsed.root, object);
    if ('error' in found) return fail(found.error);
    const values = found.results.flat();
    if (value === undefined) return values.length > 0;
    if (found.results.length > 1) return fail('given jsonpath expression matches more than one list');
    if (values.length === 0) return false;
    if (values.length > 1) return fail('given jsonpath expression matches more than one value');
    const [only] = values;
    if (typeof only === 'object' && only !== null)
      return fail('jsonpath leads to a nested object or list which is not supported');
    return sprint(only).trim() === value.trim();
  };
  return {type: 'state', isMet};
}

/** The first equal sign that is not part of a filter parts the path from the value. */
function splitPath(text: string): {readonly path: string; readonly value: string | undefined} {
  const end = text.startsWith('{') ? text.lastIndexOf('}') : 0;
  const at = text.indexOf('=', Math.max(0, end));
  if (at < 0) return {path: text, value: undefined};
  const value = text.slice(at + 1).replaceAll(/^['"]|['"]$/g, '');
  return {path: text.slice(0, at), value};
}
