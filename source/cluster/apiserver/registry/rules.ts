// What this room asks of validation (api/validation), in one place. Objects are judged in the version that is stored.
import type {FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {findResource, resourceOfKind} from '../../../api/meta/resources.ts';
import {validate, validateMetadata} from '../../../api/validation/index.ts';
import type {Served} from './served.ts';

/** What is wrong with a new object. */
export function validateNew(served: Served, object: AnyObject): readonly FieldError[] {
  return validate(judgedAs(served, object), object);
}

/** What is wrong with a change. Of subresources only the metadata is judged: who may write them is trusted with the rest. */
export function validateChange(
  served: Served,
  change: {object: AnyObject; old: AnyObject; subresource: string},
): readonly FieldError[] {
  const {object, old, subresource} = change;
  const resource = judgedAs(served, object);
  return subresource === '' ? validate(resource, object, old) : validateMetadata(resource, object, old);
}

function judgedAs(served: Served, object: AnyObject): Served['facts'] {
  if (!served.conversion) return served.facts;
  const stored = resourceOfKind(object.apiVersion, object.kind);
  return (stored && findResource(stored.group, stored.version, stored.resource)) ?? served.facts;
}
