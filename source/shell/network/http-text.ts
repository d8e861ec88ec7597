// HTTP as it stands on the wire, for programs that write it by hand (`printf 'GET / HTTP/1.0…' | nc`), and for those that listen and
// say the answer themselves.
import type {Answer, Method, Request} from '../../api/wire/http.ts';
import {statusText} from '../../api/wire/status-text.ts';
import {byteLength} from '../text/bytes.ts';
import {bodyText} from '../../api/schema/json-text.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]);

/** A request as text. */
export function requestText({method, path, query, headers = {}, body}: Request): string {
  const words = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value}`);
  const target = words.length > 0 ? `${path}?${words.join('&')}` : path;
  const lines = Object.entries(headers).map(([name, value]) => `${capital(name)}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${bodyText(body)}`;
}

/** A text as a request; undefined where it is none. */
export function requestIn(text: string): Request | undefined {
  const [head = '', ...body] = text.split(/\r?\n\r?\n/);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, method = '', target = ''] = /^([A-Z]+) (\S+)(?: HTTP\/1\.[01])?\s*$/.exec(first) ?? [];
  if (!METHODS.has(method)) return undefined;
  const [path = '/', words = ''] = target.split('?');
  const query = Object.fromEntries(words.split('&').flatMap(word => (word === '' ? [] : [word.split('=') as [string, string]])));
  const sent = body.join('\n\n');
  return {
    method: method as Method,
    path,
    headers: headersIn(lines),
    ...(words === '' ? {} : {query}),
    ...(sent === '' ? {} : {body: sent}),
  };
}

/** An answer as text. */
export function answerText({status, headers = {}, body}: Answer): string {
  const text = bodyText(body);
  const lines = Object.entries({...headers, 'content-length': String(byteLength(text)), connection: 'close'});
  return `HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.map(([name, value]) => `${capital(name)}: ${value}\r\n`).join('')}\r\n${text}`;
}

/** A text as an answer; undefined where it is none. */
export function answerIn(text: string): Answer | undefined {
  const [, status, rest = ''] = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (status === undefined) return undefined;
  const [, head = '', body = ''] = /^((?:[^\r\n]+\r?\n)*)(?:\r?\n)?([\s\S]*)$/.exec(rest) ?? [];
  return {status: Number(status), headers: headersIn(head.split(/\r?\n/)), body};
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const pairs = lines.flatMap(line => {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  return Object.fromEntries(pairs);
}

function capital(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, letter => letter.toUpperCase());
}
