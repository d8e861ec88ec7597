// `--overrides`: a patch of the object that a command has made.
import type {AnyObject} from '../../api/meta/object.ts';
import {schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch, type JsonObject} from '../../api/schema/merge/index.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {fail, type Failure} from '../failure.ts';
import type {Session} from '../session.ts';

/** The object with the patch of the flags in it. */
export function overridden({flags}: Session, object: AnyObject): AnyObject | Failure {
  const text = flags.text('overrides');
  if (text === '') return object;
  const {documents, error} = readYaml(text);
  if (error) return fail('Invalid JSON Patch');
  const patch = documents[0]?.value;
  const from = object as unknown as JsonObject;
  const type = flags.text('override-type');
  if (type === 'merge') return applyMergePatch(from, patch) as AnyObject;
  if (type !== 'json' && type !== 'strategic') return fail(`invalid override type: ${type}`);
  const patched =
    type === 'json'
      ? applyJsonPatch(from, patch as readonly unknown[])
      : applyStrategicPatch(from, patch as JsonObject, schemaOf(typeOfKind(object.apiVersion, object.kind) ?? ''));
  return 'error' in patched ? fail(patched.error) : (patched.value as AnyObject);
}
