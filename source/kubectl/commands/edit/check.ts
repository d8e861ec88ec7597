// Whether an edited text can be sent: it must hold objects, and their fields must be ones that the schema knows.
import type {AnyObject} from '../../../api/meta/object.ts';
import {decodeKind} from '../../../api/schema/index.ts';
import {readYaml} from '../../../api/yaml/read.ts';
import {isFields} from '../../../api/meta/fields.ts';

/** The objects of a text, or why they cannot be sent. */
export function readObjects(text: string): {readonly objects: readonly AnyObject[]} | {readonly error: string} {
  const {documents, error} = readYaml(text);
  if (error) return {error: error.message};
  const objects = documents.flatMap(({value}) => partsOf(value));
  if (objects.length === 0) return {error: 'EOF'};
  for (const object of objects) {
    const problem = problemWith(object);
    if (problem !== undefined) return {error: problem};
  }
  return {objects: objects as readonly AnyObject[]};
}

function partsOf(value: unknown): readonly unknown[] {
  return isFields(value) && Array.isArray(value['items']) && value['kind'] === 'List'
    ? (value['items'] as readonly unknown[])
    : [value];
}

function problemWith(object: unknown): string | undefined {
  if (!isFields(object)) return 'invalid object to validate';
  const {apiVersion, kind} = object;
  if (typeof apiVersion !== 'string' || apiVersion === '') return 'apiVersion not set';
  if (typeof kind !== 'string' || kind === '') return 'kind not set';
  const decoded = decodeKind({apiVersion, kind}, object);
  if (!decoded) return undefined;
  if (!decoded.ok) return decoded.error;
  return decoded.problems.length > 0 ? decoded.problems.join(', ') : undefined;
}
