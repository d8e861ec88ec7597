// What a client makes of an answer that is a failure but no Status: a Status of its own words.
import type {Status} from '../../api/kinds/meta.ts';
import type {Answer, Request} from '../../api/wire/http.ts';

const REASONS: Readonly<Record<number, {readonly reason: string; readonly message: string}>> = {
  400: {reason: 'BadRequest', message: 'the server rejected our request for an unknown reason'},
  401: {reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials'},
  403: {reason: 'Forbidden', message: 'the server does not allow access to the requested resource'},
  404: {reason: 'NotFound', message: 'the server could not find the requested resource'},
  405: {reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource'},
  406: {reason: 'NotAcceptable', message: 'the server was unable to respond with a content type that the client supports'},
  409: {reason: 'Conflict', message: 'the server reported a conflict'},
  415: {reason: 'UnsupportedMediaType', message: 'the server was unable to respond with a content type that the client supports'},
  429: {reason: 'TooManyRequests', message: 'the server has received too many requests and has asked us to try again later'},
  503: {reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request'},
  504: {
    reason: 'Timeout',
    message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
  },
};

/** The Status for an answer that brought none. */
export function genericStatus(request: Request, answer: Answer): Status {
  const words = typeof answer.body === 'string' ? answer.body.trim() : JSON.stringify(answer.body ?? '');
  const known = REASONS[answer.status];
  // Who refuses in a text says more than a number could.
  if (answer.status === 403 && typeof answer.body === 'string' && words !== '')
    return {status: 'Failure', code: 403, reason: 'Forbidden', message: `${words}${placeOf(request)}`};
  if (known)
    return {status: 'Failure', code: answer.status, reason: known.reason, message: `${known.message}${placeOf(request)}`};
  const message =
    answer.status >= 500
      ? `an error on the server (${JSON.stringify(words)}) has prevented the request from succeeding`
      : `the server responded with the status code ${answer.status} but did not return more information`;
  const reason = answer.status >= 500 ? 'InternalError' : '';
  return {status: 'Failure', code: answer.status, reason, message: `${message}${placeOf(request)}`};
}

/** ` (get parcels.post.example.com one)`: the verb, the resource with its group, and the name. */
function placeOf({method, path}: Request): string {
  const parts = /^\/(?:api|apis\/([^/?]+))\/[^/?]+\/(?:namespaces\/[^/?]+\/)?([^/?]+)(?:\/([^/?]+))?/.exec(path);
  if (!parts) return '';
  const [, group, resource = '', name] = parts;
  return ` (${method.toLowerCase()} ${resource}${group === undefined ? '' : `.${group}`}${name === undefined ? '' : ` ${name}`})`;
}
