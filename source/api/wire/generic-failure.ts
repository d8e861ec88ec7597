// What a client of the API makes of an answer that is a failure but brought no Status: a reason and a sentence for the number, in the
// words of client-go. The API server is such a client too, of kubelets and of webhooks.
import type {Answer} from './http.ts';

/** A reason and a sentence. */
export interface GenericFailure {
  readonly reason: string;
  readonly message: string;
}

const BY_NUMBER: Readonly<Record<number, GenericFailure>> = {
  400: {reason: 'BadRequest', message: 'the server rejected our request for an unknown reason'},
  401: {reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials'},
  404: {reason: 'NotFound', message: 'the server could not find the requested resource'},
  405: {reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource'},
  406: {reason: 'NotAcceptable', message: 'the server was unable to respond with a content type that the client supports'},
  409: {reason: 'Conflict', message: 'the server reported a conflict'},
  415: {reason: 'UnsupportedMediaType', message: 'the server was unable to respond with a content type that the client supports'},
  422: {reason: 'Invalid', message: 'the server rejected our request due to an error in our request'},
  429: {reason: 'TooManyRequests', message: 'the server has received too many requests and has asked us to try again later'},
  503: {reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request'},
  504: {
    reason: 'Timeout',
    message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

/** The text of a body that says why; what is no text says nothing. */
export function saidIn({body}: Answer): string {
  return (typeof body === 'string' ? body.trim() : '') || 'unknown';
}

/** What a number means, where the answer itself said `said`. */
export function genericFailure(status: number, said: string): GenericFailure {
  // Who refuses says more than a number could.
  if (status === 403) return {reason: 'Forbidden', message: said};
  const known = BY_NUMBER[status];
  if (known) return known;
  if (status >= 500) {
    const message = `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;
    return {reason: 'InternalError', message};
  }
  return {reason: '', message: `the server responded with the status code ${status} but did not return more information`};
}
