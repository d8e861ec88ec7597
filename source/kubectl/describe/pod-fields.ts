// The fields of a pod that a variable may take its value from.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {FieldValues} from './environment.ts';

/** The values of a pod's metadata. What comes with the pod's start (`status.podIP`) is not looked up. */
export function fieldValues({metadata}: Pod): FieldValues {
  const values: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
  };
  return path => values[path] ?? '';
}
