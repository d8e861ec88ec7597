// Small web servers that serve the files of a folder: busybox's `httpd`, and `python3 -m http.server`, the one thing that python does here.
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {resolvePath} from '../../sim/files.ts';
import {readArguments} from '../programs/arguments.ts';
import {complain} from '../programs/output.ts';
import {openDoor} from './door.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  txt: 'text/plain',
};

interface Serving {
  readonly port: number;
  readonly folder: string;
  /** Lists a folder that has no index. */
  readonly lists: boolean;
  /** What it logs of a request. */
  readonly line?: (from: string, request: Request, status: number) => string;
}

/** `httpd -f [-v] [-p port] [-h folder]` */
export const httpd: Program = async process => {
  const usage = {
    name: 'httpd',
    synopsis: '[-ifv[v]] [-p [IP:]PORT] [-h HOME]',
    summary: 'Listen for HTTP requests.',
    letters: 'ifvp:h:c:u:r:',
  };
  const read = readArguments(process.argv.slice(1), usage);
  if (!read.ok) return complain(process, `httpd: ${read.words}`);
  const {given} = read;
  const port = Number((given.value('p') ?? '80').split(':').at(-1));
  const folder = resolvePath(process.folder, given.value('h') ?? '.');
  if (!process.machine.files.isFolder(folder))
    return complain(process, `httpd: can't change directory to '${given.value('h') ?? ''}': No such file or directory`);
  const serving = {
    port,
    folder,
    lists: false,
    ...(given.has('v')
      ? {line: (from: string, _request: Request, status: number) => `[::ffff:${from}]:43210: response:${status}\n`}
      : {}),
  };
  if (given.has('f')) return serve(process, serving, 'httpd: bind: Address already in use');
  process.spawn(child => serve(child, serving, 'httpd: bind: Address already in use'), {argv: process.argv, group: 'new'});
  return 0;
};

/** `python3 -m http.server [port] [--directory folder] [--bind address]` */
export const python: Program = async process => {
  const args = process.argv.slice(1).filter(arg => arg !== '-u');
  if (args[0] === '--version' || args[0] === '-V') {
    await process.out(`Python ${process.environment.get('PYTHON_VERSION') ?? '3.13.9'}\n`);
    return 0;
  }
  if (args[0] !== '-m' || args[1] !== 'http.server') {
    if (args.length > 0) return complain(process, `${process.argv[0]}: only -m http.server can be run here`);
    return 0;
  }
  const option = (...names: string[]) => args[args.findIndex(arg => names.includes(arg)) + 1];
  const has = (...names: string[]) => args.some(arg => names.includes(arg));
  const port = Number(args.slice(2).find((arg, at) => /^\d+$/.test(arg) && !(args[at + 1] ?? '').startsWith('-')) ?? 8000);
  const folder = resolvePath(process.folder, has('-d', '--directory') ? (option('-d', '--directory') ?? '.') : '.');
  await process.out(`Serving HTTP on 0.0.0.0 port ${port} (http://0.0.0.0:${port}/) ...\n`);
  const stamp = () =>
    new Date(process.machine.wall())
      .toUTCString()
      .slice(5, 25)
      .replaceAll(' ', '/')
      .replace(/\/(?=\d\d:)/, ' ');
  const line = (from: string, {method, path}: Request, status: number) =>
    `${from} - - [${stamp()}] "${method} ${path} HTTP/1.1" ${status} -\n`;
  return serve(process, {port, folder, lists: true, line}, 'OSError: [Errno 98] Address already in use');
};

async function serve(process: Process, serving: Serving, taken: string): Promise<number> {
  const door = openDoor(process, serving.port);
  if (!door) return complain(process, taken);
  for (;;) {
    const call = await door.next();
    const request = call?.request as Request | undefined;
    if (!call) continue;
    if (typeof request?.path !== 'string') {
      call.end('closed');
      continue;
    }
    const answer = fileAnswer(process, serving, request);
    if (serving.line) await process.err(serving.line(call.from, request, answer.status));
    call.answer(answer);
  }
}

function fileAnswer(process: Process, {folder, lists}: Serving, {path}: Request): Answer {
  const {files} = process.machine;
  const where = process.path(`${folder}/${path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, ''));
  const isInside = !path.split('/').includes('..');
  if (isInside && files.isFolder(where)) {
    if (!path.endsWith('/')) return page(301, '', {location: `${path}/`});
    const index = files.read(process.path(`${where}/index.html`));
    if (index !== undefined) return page(200, index, {'content-type': TYPES['html'] ?? ''});
    if (lists) return page(200, listing(path, files.list(where) ?? []), {'content-type': 'text/html; charset=utf-8'});
  }
  const text = isInside ? files.read(where) : undefined;
  if (text === undefined)
    return page(
      404,
      '<HTML><HEAD><TITLE>404 Not Found</TITLE></HEAD>\n<BODY><H1>404 Not Found</H1>\nThe requested URL was not found\n</BODY></HTML>\n',
      {'content-type': 'text/html'},
    );
  return page(200, text, {'content-type': TYPES[where.slice(where.lastIndexOf('.') + 1)] ?? 'application/octet-stream'});
}

function page(status: number, body: string, headers: Readonly<Record<string, string>>): Answer {
  return {status, headers, body};
}

function listing(path: string, names: readonly string[]): string {
  const items = names.map(name => `<li><a href="${name}">${name}</a></li>\n`).join('');
  return `<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Directory listing for ${path}</title>\n</head>\n<body>\n<h1>Directory listing for ${path}</h1>\n<hr>\n<ul>\n${items}</ul>\n<hr>\n</body>\n</html>\n`;
}
