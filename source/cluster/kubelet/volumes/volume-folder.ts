// A volume that the cluster fills, as its files lie there: in a folder named after the time, which a link `..data` leads to, and a link
// for each name at the top. So all of it changes at one instant: with `..data`.
import {followPath, type Files} from '../../../sim/files.ts';
import type {Laid} from './volume-sources.ts';

const DATA = '..data';

/** Lays the files, over those that lie there; nothing happens where nothing has changed. */
export function layAtOnce(tree: Files, laid: Laid, wall: number): void {
  const before = tree.linkAt(`/${DATA}`);
  if (before !== undefined && isSame(tree, before, laid)) return;
  const folder = newFolder(tree, wall);
  tree.makeFolder(`/${folder}`);
  for (const [path, {text, mode}] of laid) tree.place(`/${folder}/${path}`, text, mode);
  tree.remove(`/${DATA}`);
  tree.makeLink(`/${DATA}`, folder);
  const names = new Set([...laid.keys()].map(path => path.split('/')[0] ?? path));
  for (const name of tree.list('/') ?? []) if (!name.startsWith('..') && !names.has(name)) tree.remove(`/${name}`, true);
  for (const name of names) if (tree.linkAt(`/${name}`) === undefined) tree.makeLink(`/${name}`, `${DATA}/${name}`);
  if (before !== undefined) tree.remove(`/${before}`, true);
}

function newFolder(tree: Files, wall: number): string {
  const at = new Date(Math.floor(wall)).toISOString();
  const nanos = Math.floor((wall % 1000) * 1e6);
  for (let more = 0; ; more++) {
    const name = `..${at.slice(0, 19).replaceAll(/[-T:]/g, '_')}.${nanos + more}`;
    if (!tree.info(`/${name}`)) return name;
  }
}

function isSame(tree: Files, folder: string, laid: Laid): boolean {
  let count = 0;
  const walk = (path: string): void => {
    for (const name of tree.list(path) ?? []) {
      if (tree.isFolder(`${path}/${name}`)) walk(`${path}/${name}`);
      else count++;
    }
  };
  walk(`/${folder}`);
  return count === laid.size && [...laid].every(([path, {text}]) => tree.read(`/${folder}/${path}`) === text);
}

/** Where a path of the volume really lies. */
export function placeIn(tree: Files, path: string): string {
  return followPath(tree, {folder: '/', path, last: true}) ?? path;
}
