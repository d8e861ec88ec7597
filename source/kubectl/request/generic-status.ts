// What a client makes of an answer that is a failure but no Status: a Status of its own words.
import type {Status} from '../../api/kinds/meta.ts';
import {genericFailure, saidIn} from '../../api/wire/generic-failure.ts';
import type {Answer, Request} from '../../api/wire/http.ts';

/** The Status for an answer that brought none. */
export function genericStatus(request: Request, answer: Answer): Status {
  const {reason, message} = genericFailure(answer.status, saidIn(answer));
  return {status: 'Failure', code: answer.status, reason, message: `${message}${placeOf(request)}`};
}

/** ` (get parcels.post.example.com one)`: the verb, the resource with its group, and the name. */
function placeOf({method, path}: Request): string {
  const parts = /^\/(?:api|apis\/([^/?]+))\/[^/?]+\/(?:namespaces\/[^/?]+\/)?([^/?]+)(?:\/([^/?]+))?/.exec(path);
  if (!parts) return '';
  const [, group, resource = '', name] = parts;
  return ` (${method.toLowerCase()} ${resource}${group === undefined ? '' : `.${group}`}${name === undefined ? '' : ` ${name}`})`;
}
