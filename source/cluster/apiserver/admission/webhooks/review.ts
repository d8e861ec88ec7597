// What is sent to a webhook: an AdmissionReview with the request, its objects in the version that the webhook wants.
import type {AnyObject} from '../../../../api/meta/object.ts';
import {userInfo} from '../../auth/user.ts';
import {apiVersionOf} from '../../registry/schema.ts';
import type {Subject, View} from './subject.ts';

const OPTIONS: Readonly<Record<string, string>> = {CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions'};

/** The body of a call. */
export function admissionReview(subject: Subject, view: View, uid: string): object {
  const {object, oldObject} = shownObjects(subject, view);
  const request = {uid, ...requestFacts(subject, view), object, oldObject, ...optionsOf(subject)};
  return Object.freeze({kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: Object.freeze(request)});
}

/** What match conditions may speak of. */
export function conditionVariables(subject: Subject, view: View): Readonly<Record<string, unknown>> {
  return {...shownObjects(subject, view), request: {...requestFacts(subject, view), ...optionsOf(subject)}};
}

function requestFacts({view: asked, subresource, name, namespace, operation, attributes}: Subject, view: View): object {
  const {user, dryRun} = attributes.write;
  return {
    kind: view.kind,
    resource: view.resource,
    ...(subresource === '' ? {} : {subResource: subresource}),
    requestKind: asked.kind,
    requestResource: asked.resource,
    ...(subresource === '' ? {} : {requestSubResource: subresource}),
    ...(name === '' ? {} : {name}),
    ...(namespace === '' ? {} : {namespace}),
    operation,
    userInfo: userInfo(user),
    dryRun,
  };
}

function optionsOf({operation, attributes}: Subject): object {
  const {manager, info, dryRun} = attributes.write;
  const kind = info.verb === 'patch' ? 'PatchOptions' : OPTIONS[operation];
  if (kind === undefined) return {options: null};
  const {fieldValidation} = info.query;
  return {
    options: {
      kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun ? {dryRun: ['All']} : {}),
      ...(operation === 'DELETE' ? {} : {fieldManager: manager}),
      ...(fieldValidation && operation !== 'DELETE' ? {fieldValidation} : {}),
    },
  };
}

function shownObjects({attributes: {object, old}}: Subject, view: View): {object: unknown; oldObject: unknown} {
  return {object: object ? shown(object, view) : null, oldObject: old ? shown(old, view) : null};
}

/** An object with its kind and version, which a decoded body has and a stored one too. */
function shown(object: AnyObject, view: View): AnyObject {
  const converted = view.read(object);
  const apiVersion = apiVersionOf(view.kind);
  return converted.apiVersion === apiVersion && converted.kind === view.kind.kind
    ? converted
    : Object.freeze({...converted, apiVersion, kind: view.kind.kind});
}
