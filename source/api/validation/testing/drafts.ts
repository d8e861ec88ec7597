// Objects of tests, as somebody writes them: names and defaults are filled in, and what validation says of them is read as text.
import {fieldErrorText} from '../../meta/field-error.ts';
import type {AnyObject} from '../../meta/object.ts';
import {resourceOfKind} from '../../meta/resources.ts';
import {applyDefaults, decodeKind} from '../../schema/index.ts';
import {validate, validateSubresource} from '../index.ts';

export interface Draft {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

function complete(draft: Draft): AnyObject {
  const namespaced = resourceOfKind(draft.apiVersion, draft.kind)?.namespaced === true;
  const metadata = {name: 'a', uid: 'u', resourceVersion: '1', ...(namespaced ? {namespace: 'shop'} : {}), ...draft.metadata};
  const decoded = decodeKind(draft, {...draft, metadata});
  if (!decoded?.ok) throw new Error(decoded?.error ?? 'no such kind');
  return applyDefaults(decoded.value as AnyObject);
}

/** What is wrong with a draft, or with the change to it. */
export function errorsOf(draft: Draft, before?: Draft): string[] {
  const resource = resourceOfKind(draft.apiVersion, draft.kind);
  if (!resource) throw new Error('no such resource');
  return validate(resource, complete(draft), before && complete(before)).map(fieldErrorText);
}

/** What is wrong with a change of a subresource. */
export function errorsOfChange(subresource: string, draft: Draft, before: Draft): string[] {
  const resource = resourceOfKind(draft.apiVersion, draft.kind);
  if (!resource) throw new Error('no such resource');
  const change = {object: complete(draft), before: complete(before), subresource};
  return validateSubresource(resource, change).map(fieldErrorText);
}
