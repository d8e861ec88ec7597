// The files under /var/log of the node, as a kubelet shows them under `/logs/`: folders as a page of links, files as they are.
import type {Answer} from '../../../api/wire/http.ts';
import {followPath, type Files} from '../../../sim/files.ts';

const ROOT = '/var/log';

/** Answers a path under `/logs`. */
export function logFile(files: Files, path: string): Answer {
  const rest = path.slice('/logs'.length);
  const asked = `${ROOT}${rest.replace(/\/+$/, '')}`;
  const real = rest.split('/').includes('..') ? undefined : followPath(files, {folder: '/', path: asked, last: true});
  if (real === undefined) return missing();
  if (!files.isFolder(real)) {
    const text = files.read(real);
    return text === undefined ? missing() : {status: 200, headers: {'content-type': 'text/plain; charset=utf-8'}, body: text};
  }
  const links = (files.list(real) ?? []).map(name => {
    const shown = files.isFolder(`${real}/${name}`) ? `${name}/` : name;
    return `<a href="${encodeURIComponent(name)}${shown.endsWith('/') ? '/' : ''}">${shown}</a>\n`;
  });
  const head = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n';
  return {status: 200, headers: {'content-type': 'text/html; charset=utf-8'}, body: `${head}<pre>\n${links.join('')}</pre>\n`};
}

function missing(): Answer {
  return {status: 404, headers: {'content-type': 'text/plain; charset=utf-8'}, body: '404 page not found\n'};
}
