// What curl makes of the texts of its options, and of an answer's head.
import type {Answer} from '../../api/wire/http.ts';
import {statusText} from '../../api/wire/status-text.ts';
import type {Url} from './url.ts';

/** `--data-urlencode`: the value of `name=value`, or all of it. */
export function encoded(value: string): string {
  const at = value.indexOf('=');
  return at <= 0
    ? encodeURIComponent(value.replace(/^=/, ''))
    : `${value.slice(0, at)}=${encodeURIComponent(value.slice(at + 1))}`;
}

/** `Name: value` sets a header, `Name:` takes it away. */
export function setHeader(headers: Record<string, string>, text: string): void {
  const at = text.search(/[:;]/);
  if (at < 0) return;
  const name = text.slice(0, at).trim().toLowerCase();
  const value = text.slice(at + 1).trim();
  if (value === '' && text[at] === ':') delete headers[name];
  else headers[name] = value;
}

/** JSON travels as objects. */
export function bodyOf(text: string | undefined, type: string): unknown {
  if (text === undefined || !/json/.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A header's name as HTTP/1.1 writes it. */
export function titled(name: string): string {
  return name.replace(/(^|-)([a-z])/g, letter => letter.toUpperCase());
}

/** The status line and the headers, as they come over the line. */
export function headText(url: Url, answer: Answer): string {
  const isNew = url.scheme === 'https';
  const status = isNew ? `HTTP/2 ${answer.status} ` : `HTTP/1.1 ${answer.status} ${statusText(answer.status)}`;
  const lines = Object.entries(answer.headers ?? {}).map(([name, value]) => `${isNew ? name : titled(name)}: ${value}`);
  return [status, ...lines, '', ''].join('\r\n');
}
