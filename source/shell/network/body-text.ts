// Bodies as the bytes that a client reads. Inside the cluster objects travel as they are; here they get the order of fields that a
// server writes, and a server of the Kubernetes API gives those who are read by people (curl, wget) two spaces and a line a field.
import type {Answer, Request} from '../../api/wire/http.ts';
import {arrangedBody} from '../../api/schema/arranged.ts';
import {printJson} from '../../api/yaml/json-print.ts';

/** A body as text: what is no text is JSON, in one line. */
export function bodyText(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : `${printJson(arrangedBody(body), {indent: 0, sorted: false})}\n`;
}

/** The body of an answer as its server writes it for the program that asked. */
export function answeredText({body, headers}: Answer, {path, query, headers: asked = {}}: Request): string {
  if (typeof body !== 'object' || body === null || !isForPeople(asked['user-agent'], query?.['pretty'], path))
    return bodyText(body);
  // Only servers of the Kubernetes API say how long their answers keep; a kubelet and etcd write one line for everybody.
  return headers?.['cache-control'] === undefined ? bodyText(body) : printJson(arrangedBody(body), {indent: 2, sorted: false});
}

function isForPeople(agent: string | undefined, wish: string | undefined, path: string): boolean {
  if (path === '/version') return true;
  return wish === undefined ? /^(curl|Wget|Mozilla)/.test(agent ?? '') : wish !== '0' && wish !== 'false';
}
