// Names of files from patterns: `*.yaml`, `/var/log/pods/*/*.log`, `**/x` with `globstar`.
import {followPath} from '../../sim/files.ts';
import type {Files} from '../../sim/files.ts';
import {patternOf} from './patterns.ts';

/** How names are matched, after `shopt`. */
export interface GlobOptions {
  readonly dotFiles: boolean;
  readonly ignoreCase: boolean;
  readonly globstar: boolean;
}

/** The paths that match, sorted; as the pattern was written: relative where it is. */
export function expandGlob(files: Files, folder: string, pattern: string, options: GlobOptions): string[] {
  const isAbsolute = pattern.startsWith('/');
  const parts = pattern.split(/\/+/).filter(part => part !== '');
  let found = [{shown: isAbsolute ? '/' : '', path: isAbsolute ? '/' : folder}];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    found = found.flatMap(place => inFolder({files, place, part, isLast, options}));
  }
  const needsFolder = pattern.endsWith('/');
  return found
    .filter(place => !needsFolder || isFolder(files, place.path))
    .map(place => (needsFolder ? `${place.shown}/` : place.shown))
    .sort();
}

interface Place {
  readonly shown: string;
  readonly path: string;
}

interface Step {
  readonly files: Files;
  readonly place: Place;
  readonly part: string;
  readonly isLast: boolean;
  readonly options: GlobOptions;
}

function inFolder(step: Step): Place[] {
  const {files, place, part, isLast, options} = step;
  if (part === '**' && options.globstar) return below(files, place, isLast);
  const pattern = patternOf(part, options.ignoreCase);
  if (pattern.literal !== undefined) return literal(step, pattern.literal);
  const names = files.list(followed(files, place.path)) ?? [];
  const seesDots = options.dotFiles || part.startsWith('.') || part.startsWith('\\.');
  return names
    .filter(name => (seesDots || !name.startsWith('.')) && pattern.matches(name))
    .map(name => child(place, name))
    .filter(each => isLast || isFolder(files, each.path));
}

function literal({files, place, isLast}: Step, name: string): Place[] {
  if (name === '.') return [{shown: join(place.shown, name), path: place.path}];
  if (name === '..') {
    return [{shown: join(place.shown, name), path: place.path.slice(0, place.path.lastIndexOf('/')) || '/'}];
  }
  const each = child(place, name);
  const exists = isLast ? files.info(each.path) !== undefined : isFolder(files, each.path);
  return exists ? [each] : [];
}

function below(files: Files, place: Place, withFiles: boolean): Place[] {
  const found: Place[] = withFiles && place.shown === '' ? [] : [place];
  for (const name of files.list(followed(files, place.path)) ?? []) {
    if (name.startsWith('.')) continue;
    const each = child(place, name);
    if (files.isFolder(each.path)) found.push(...below(files, each, withFiles));
    else if (withFiles) found.push(each);
  }
  return found;
}

function child(place: Place, name: string): Place {
  return {shown: join(place.shown, name), path: place.path === '/' ? `/${name}` : `${place.path}/${name}`};
}

function join(shown: string, name: string): string {
  if (shown === '') return name;
  return shown.endsWith('/') ? shown + name : `${shown}/${name}`;
}

function followed(files: Files, path: string): string {
  return followPath(files, {folder: '/', path, last: true}) ?? path;
}

function isFolder(files: Files, path: string): boolean {
  return files.isFolder(followed(files, path));
}
