// What `find -printf` and `-ls` print of a file.
import {nameOf} from '../../sim/files.ts';
import type {FileInfo} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {strftime} from '../text/dates.ts';
import {ownerOf} from './identity.ts';
import {modeText} from './ls.ts';

/** The letter of a kind of file. */
export function typeLetter(info: FileInfo): string {
  return {folder: 'd', link: 'l', file: 'f'}[info.kind];
}

interface Printable {
  readonly name: string;
  readonly info: FileInfo;
  readonly depth: number;
  /** What the link leads to. */
  readonly target: string;
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', '0': '\0', '\\': '\\', r: '\r', a: '\x07'};

/** Fills a format. */
export function printed(format: string, {name, info, depth, target}: Printable, process: Process): string {
  const owner = ownerOf(process, info);
  const time = (letter: string): string =>
    letter === '@'
      ? `${(info.modified / 1000).toFixed(3)}0000000`
      : letter === '+'
        ? strftime('%Y-%m-%d+%H:%M:%S.0000000000', info.modified)
        : strftime(`%${letter}`, info.modified);
  const fields: Readonly<Record<string, string>> = {
    p: name,
    f: nameOf(name.replace(/\/+$/, '')) || '/',
    h: name.slice(0, Math.max(0, name.lastIndexOf('/'))) || '.',
    s: String(info.size),
    k: String(Math.ceil(info.size / 4096) * 4),
    b: String(Math.ceil(info.size / 4096) * 8),
    m: info.mode.toString(8),
    M: modeText(info),
    y: typeLetter(info),
    d: String(depth),
    i: String(info.node ?? 0),
    l: target,
    n: String(info.links ?? 1),
    u: owner.user,
    g: owner.group,
    U: String(owner.uid),
    G: String(owner.gid),
    t: strftime('%a %b %e %H:%M:%S.%N0 %Y', info.modified),
    P: depth === 0 ? '' : name.split('/').slice(-depth).join('/'),
    '%': '%',
  };
  return format.replace(
    /\\([nt0\\ra])|%(-?)(\d*)(?:[TAC]([A-Za-z@+])|([A-Za-z%]))/g,
    (whole, escape: string | undefined, minus: string, width: string, when: string | undefined, letter: string) => {
      if (escape !== undefined) return ESCAPES[escape] ?? whole;
      const text = when === undefined ? fields[letter] : time(when);
      if (text === undefined) return whole;
      return minus ? text.padEnd(Number(width)) : text.padStart(Number(width));
    },
  );
}
