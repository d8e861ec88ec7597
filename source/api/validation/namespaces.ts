// Namespaces: what holds them until they are empty, and the phase that their deletion implies.
import type {Namespace} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, root} from '../meta/field-error.ts';
import {finalizerName} from './metadata.ts';
import type {Errors} from './rules.ts';

/** A new namespace. */
export function validateNamespace({spec}: Namespace, errors: Errors): void {
  held(spec?.finalizers, () => root('spec', 'finalizers'), errors);
}

/** A namespace of whose finalizers some are done. */
export function validateNamespaceFinalize({spec}: Namespace, _before: Namespace, errors: Errors): void {
  held(spec?.finalizers, i => root('spec', 'finalizers').index(i), errors);
}

function held(names: readonly string[] | undefined, at: (index: number) => FieldPath, errors: Errors): void {
  names?.forEach((name, i) => finalizerName(name, at(i), errors));
}

/** The phase of a namespace follows from whether it is being deleted. */
export function validateNamespaceStatus({metadata, status}: Namespace, _before: Namespace, errors: Errors): void {
  const deleted = metadata.deletionTimestamp !== undefined;
  const wanted = deleted ? 'Terminating' : 'Active';
  const phase = status?.phase ?? '';
  if (phase === wanted) return;
  const text = `may only be '${wanted}' if \`deletionTimestamp\` is ${deleted ? 'not ' : ''}empty`;
  errors.push(invalid(root('status', 'Phase'), phase, text));
}
