// A web server's files: the page of a path out of a folder of the container, as it stands there now. A folder shows its
// index.html, and is forbidden without one; without its slash it sends the caller on.
import type {HttpReply, Serving} from './program-model.ts';
import type {RunContext} from './run.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
  xml: 'text/xml',
};

/** The answer to a request for a file. */
export function servedFile(context: RunContext, {folder, page, path}: Serving & {readonly path: string}): HttpReply {
  if (path.split('/').includes('..')) return page(400);
  const file = `${folder}${path}${path.endsWith('/') ? 'index.html' : ''}`;
  const body = context.fileText(file);
  if (body !== undefined) return {body, type: TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'};
  if (path.endsWith('/')) return page(context.machine().files.isFolder(`${folder}${path}`.replace(/(?<=.)\/$/, '')) ? 403 : 404);
  return context.machine().files.isFolder(file) ? redirect(page(301), `${path}/`) : page(404);
}

function redirect(reply: HttpReply, location: string): HttpReply {
  return typeof reply === 'object' ? {...reply, headers: {location}} : reply;
}
