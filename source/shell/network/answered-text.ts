// Bodies as the bytes that a client reads: a server of the Kubernetes API gives those who are read by people (curl, wget) two spaces
// and a line a field.
import {bodyText, prettyPieces} from '../../api/schema/json-text.ts';
import type {Answer, Request} from '../../api/wire/http.ts';

/** The body of an answer as its server writes it for the program that asked. */
export function answeredText({body, headers}: Answer, {path, query, headers: asked = {}}: Request): string {
  if (typeof body !== 'object' || body === null || !isForPeople(asked['user-agent'], query?.['pretty'], path))
    return bodyText(body);
  // Only servers of the Kubernetes API say how long their answers keep; a kubelet and etcd write one line for everybody.
  return headers?.['cache-control'] === undefined ? bodyText(body) : [...prettyPieces(body)].join('');
}

function isForPeople(agent: string | undefined, wish: string | undefined, path: string): boolean {
  if (path === '/version') return true;
  return wish === undefined ? /^(curl|Wget|Mozilla)/.test(agent ?? '') : wish !== '0' && wish !== 'false';
}
