// The annotation in which `kubectl apply` remembers what it applied last.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Fields} from '../../../api/meta/fields.ts';
import {arranged} from '../../../api/schema/arranged.ts';
import {printJson} from '../../../api/yaml/json-print.ts';
import {compactJson} from '../../print/json.ts';

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What was applied last; undefined when nothing was. */
export function lastApplied(object: AnyObject): string | undefined {
  return object.metadata.annotations?.[LAST_APPLIED];
}

/** The object with a record of itself in its annotations. */
export function withLastApplied(object: AnyObject): AnyObject {
  const {[LAST_APPLIED]: _old, ...annotations} = object.metadata.annotations ?? {};
  const bare = {...object, metadata: {...object.metadata, annotations}};
  return {...bare, metadata: {...bare.metadata, annotations: {...annotations, [LAST_APPLIED]: `${compactJson(bare)}\n`}}};
}

/** The same for an object of a Go type, which is written in the order of its fields. */
export function withTypedRecord(object: AnyObject): AnyObject {
  const record = printJson(arranged(object as unknown as Fields), {indent: 0, sorted: false});
  const annotations = {...object.metadata.annotations, [LAST_APPLIED]: `${record}\n`};
  return {...object, metadata: {...object.metadata, annotations}};
}
