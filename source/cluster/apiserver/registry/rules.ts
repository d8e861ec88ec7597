// What this room asks of validation (api/validation), in one place. Objects are judged in the version that is stored.
import type {FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {findResource, resourceOfKind} from '../../../api/meta/resources.ts';
import type {Event} from '../../../api/kinds/core-v1.ts';
import {validateNewStyleEvent, validateNewStyleEventUpdate} from '../../../api/validation/events.ts';
import {validate, validateSubresource} from '../../../api/validation/index.ts';
import type {Served} from './served.ts';

/** What is wrong with a new object. */
export function validateNew(served: Served, object: AnyObject): readonly FieldError[] {
  const errors = validate(judgedAs(served, object), object);
  if (served.facts.custom) return [...errors, ...served.facts.custom.judge(object)];
  if (served.facts.group !== 'events.k8s.io') return errors;
  const own: FieldError[] = [...errors];
  validateNewStyleEvent(object as unknown as Event, own);
  return own;
}

/** What is wrong with a change, of the object or of one of its subresources. */
export function validateChange(
  served: Served,
  change: {object: AnyObject; old: AnyObject; subresource: string},
): readonly FieldError[] {
  const {object, old, subresource} = change;
  const resource = judgedAs(served, object);
  const {custom} = served.facts;
  if (custom)
    return [...validateSubresource(resource, {object, before: old, subresource}), ...custom.judge(object, {old, subresource})];
  if (subresource !== '') return validateSubresource(resource, {object, before: old, subresource});
  const errors = validate(resource, object, old);
  if (served.facts.group !== 'events.k8s.io') return errors;
  const own: FieldError[] = [...errors];
  validateNewStyleEventUpdate(object as unknown as Event, old as unknown as Event, own);
  return own;
}

function judgedAs(served: Served, object: AnyObject): Served['facts'] {
  if (!served.conversion) return served.facts;
  const stored = resourceOfKind(object.apiVersion, object.kind);
  return (stored && findResource(stored.group, stored.version, stored.resource)) ?? served.facts;
}
