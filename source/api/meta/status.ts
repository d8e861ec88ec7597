// The answers of the API server that are no objects: one constructor for each reason, with the server's words. They are
// values: the server sends them, the client hands them on, kubectl prints them.
import type {Status, StatusCause} from '../kinds/meta.ts';
import {aggregateText, causeReason, fieldErrorBody, type FieldError} from './field-error.ts';
import {goQuote} from './go-text.ts';

/** The group and the plural name of a resource: all that messages need of it. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** What failed, in numbers and words. */
export interface Failure extends Status {
  readonly status: 'Failure';
  readonly message: string;
  readonly code: number;
}

type Details = NonNullable<Status['details']>;

/** `pods`, `deployments.apps`. */
export function qualifiedResource(resource: ResourceName): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}

/** Any failure. */
export function failure(code: number, reason: string, rest: {message: string; details?: Details}): Failure {
  return Object.freeze({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: NO_METADATA,
    status: 'Failure' as const,
    message: rest.message,
    ...(reason === '' ? {} : {reason}),
    ...(rest.details ? {details: Object.freeze(rest.details)} : {}),
    code,
  });
}

const NO_METADATA = Object.freeze({});

/** What a delete that leaves nothing answers. */
export function success(resource: ResourceName, name: string, uid: string): Status {
  const details = Object.freeze({name, ...groupOf(resource), kind: resource.resource, uid});
  return Object.freeze({kind: 'Status', apiVersion: 'v1', metadata: NO_METADATA, status: 'Success', details});
}

function groupOf(resource: ResourceName): {group?: string} {
  return resource.group === '' ? {} : {group: resource.group};
}

function named(resource: ResourceName, name: string): Details {
  return {...(name === '' ? {} : {name}), ...groupOf(resource), kind: resource.resource};
}

/** 404: the object is not there. */
export function notFound(resource: ResourceName, name: string): Failure {
  return failure(404, 'NotFound', {
    message: `${qualifiedResource(resource)} ${goQuote(name)} not found`,
    details: named(resource, name),
  });
}

/** 404: no such path. */
export function noSuchResource(): Failure {
  return failure(404, 'NotFound', {message: 'the server could not find the requested resource', details: {}});
}

/** 409: the name is taken. */
export function alreadyExists(resource: ResourceName, name: string): Failure {
  return failure(409, 'AlreadyExists', {
    message: `${qualifiedResource(resource)} ${goQuote(name)} already exists`,
    details: named(resource, name),
  });
}

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** 409: somebody else was faster. */
export function conflict(resource: ResourceName, name: string, why: string = MODIFIED): Failure {
  return failure(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${goQuote(name)}: ${why}`,
    details: named(resource, name),
  });
}

/** More errors than this nobody reads, and an answer that tells of all would be many times as large as what was sent. */
const MOST_ERRORS = 10_000;

/** 422: fields are wrong. The kind is the object's (`Deployment`), its group `apps`. */
export function invalidObject(
  kind: {readonly group: string; readonly kind: string},
  name: string,
  all: readonly FieldError[],
): Failure {
  const errors = all.length > MOST_ERRORS ? all.slice(0, MOST_ERRORS) : all;
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const causes: StatusCause[] = errors.map(error => ({
    reason: causeReason(error.kind),
    message: fieldErrorBody(error),
    field: error.field,
  }));
  return failure(422, 'Invalid', {
    message: `${qualified} ${goQuote(name)} is invalid${errors.length > 0 ? `: ${aggregateText(errors)}` : ''}`,
    details: {
      ...(name === '' ? {} : {name}),
      ...groupOf({group: kind.group, resource: ''}),
      kind: kind.kind,
      ...(causes.length > 0 ? {causes} : {}),
    },
  });
}

/** 422 without details: a JSON patch that does not apply. */
export function unprocessable(): Failure {
  return failure(422, 'Invalid', {message: 'the server rejected our request due to an error in our request', details: {}});
}

/** 403: `why` tells who cannot do what. Name and resource may be empty. */
export function forbidden(resource: ResourceName, name: string, why: string): Failure {
  const what =
    resource.resource === ''
      ? ''
      : name === ''
        ? `${qualifiedResource(resource)} is `
        : `${qualifiedResource(resource)} ${goQuote(name)} is `;
  return failure(403, 'Forbidden', {
    message: `${what}forbidden: ${why}`,
    details: resource.resource === '' ? {} : named(resource, name),
  });
}

/** 400. */
export function badRequest(message: string): Failure {
  return failure(400, 'BadRequest', {message});
}

/** 401. */
export function unauthorized(message = 'Unauthorized'): Failure {
  return failure(401, 'Unauthorized', {message});
}

/** 405 for a path that takes other methods. */
export function methodNotAllowed(): Failure {
  return failure(405, 'MethodNotAllowed', {
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** 405 for a resource that cannot do this at all. */
export function methodNotSupported(resource: ResourceName, action: string): Failure {
  return failure(405, 'MethodNotAllowed', {
    message: `${action} is not supported on resources of kind ${goQuote(qualifiedResource(resource))}`,
    details: named(resource, ''),
  });
}

/** 406. */
export function notAcceptable(accepted: readonly string[]): Failure {
  const message = `406: Not Acceptable\n\nAvailable representations: ${accepted.join(', ')}`;
  return failure(406, 'NotAcceptable', {message, details: {}});
}

/** 415. */
export function unsupportedMediaType(accepted: readonly string[]): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return failure(415, 'UnsupportedMediaType', {message});
}

/** 413. */
export function tooLarge(limitBytes: number): Failure {
  return failure(413, 'RequestEntityTooLarge', {message: `Request entity too large: limit is ${limitBytes}`});
}

/** 410: the revision is compacted. */
export function expired(message: string): Failure {
  return failure(410, 'Expired', {message});
}

/** 410: gone for good. */
export function gone(message: string): Failure {
  return failure(410, 'Gone', {message});
}

/** 504. */
export function timeout(message: string, retryAfterSeconds = 0): Failure {
  return failure(504, 'Timeout', {message: `Timeout: ${message}`, details: retryAfterSeconds > 0 ? {retryAfterSeconds} : {}});
}

/** 504: the resourceVersion asked for lies in the future. */
export function tooLargeVersion(asked: number | string, current: number | string): Failure {
  return failure(504, 'Timeout', {
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}], retryAfterSeconds: 1},
  });
}

/** 500: try again. */
export function serverTimeout(resource: ResourceName, operation: string, retryAfterSeconds = 0): Failure {
  return failure(500, 'ServerTimeout', {
    message: `The ${operation} operation against ${qualifiedResource(resource)} could not be completed at this time, please try again.`,
    details: {...named(resource, ''), ...(retryAfterSeconds > 0 ? {retryAfterSeconds} : {})},
  });
}

/** 429. */
export function tooManyRequests(message: string, retryAfterSeconds = 0): Failure {
  return failure(429, 'TooManyRequests', {message, details: retryAfterSeconds > 0 ? {retryAfterSeconds} : {}});
}

/** 500: something inside broke. */
export function internalError(message: string): Failure {
  return failure(500, 'InternalError', {message: `Internal error occurred: ${message}`, details: {causes: [{message}]}});
}

/** 500 without a reason: an error that the server passes on as it came. */
export function plainError(message: string): Failure {
  return failure(500, '', {message});
}

/** 503. */
export function serviceUnavailable(message: string): Failure {
  return failure(503, 'ServiceUnavailable', {message});
}
