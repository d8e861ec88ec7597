// Archives as tar writes them (ustar): a header of 512 bytes before each file, sizes in octal, contents filled up to whole blocks, two
// empty blocks at the end. Contents are text, and sizes count its bytes.
import {byteLength, bytesOfText, textOfBytes} from '../meta/bytes-text.ts';

/** One member: a folder where there is no text. */
export interface Member {
  readonly path: string;
  readonly text: string | undefined;
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

const BLOCK = 512;
const NAME_LENGTH = 100;
const PREFIX_AT = 345;
/** The word, its end, and the version. */
const MAGIC = ['ustar', '00'].join('\0');

/** The archive of the members. */
export function writeTar(members: readonly Member[]): string {
  return `${members.map(memberText).join('')}${'\0'.repeat(2 * BLOCK)}`;
}

function memberText({path, text, mode, modified}: Member): string {
  const isFolder = text === undefined;
  const size = isFolder ? 0 : byteLength(text);
  const full = isFolder && !path.endsWith('/') ? `${path}/` : path;
  const [prefix, name] = splitName(full);
  const fields = [
    field(name, NAME_LENGTH),
    octal(mode, 8),
    octal(0, 8),
    octal(0, 8),
    octal(size, 12),
    octal(Math.trunc(modified / 1000), 12),
    ' '.repeat(8),
    isFolder ? '5' : '0',
    field('', NAME_LENGTH),
    MAGIC,
    field('root', 32),
    field('root', 32),
    octal(0, 8),
    octal(0, 8),
    field(prefix, 155),
  ];
  const head = field(fields.join(''), BLOCK);
  const sum = Buffer.from(head, 'utf8').reduce((total, byte) => total + byte, 0);
  const sealed = `${head.slice(0, 148)}${sum.toString(8).padStart(6, '0')}\0 ${head.slice(156)}`;
  return isFolder ? sealed : `${sealed}${text}${'\0'.repeat((BLOCK - (size % BLOCK)) % BLOCK)}`;
}

/** A long name is parted at a slash. */
function splitName(path: string): readonly [string, string] {
  if (path.length <= NAME_LENGTH) return ['', path];
  const at = path.indexOf('/', path.length - NAME_LENGTH - 1);
  return at < 0 ? ['', path.slice(0, NAME_LENGTH)] : [path.slice(0, at), path.slice(at + 1)];
}

function field(text: string, length: number): string {
  return text.padEnd(length, '\0').slice(0, length);
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\0`;
}

/** The members of an archive; undefined for a text that is none. */
export function readTar(archive: string): readonly Member[] | undefined {
  const bytes = bytesOfText(archive);
  const members: Member[] = [];
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const head = bytes.subarray(at, at + BLOCK);
    if (head[0] === 0) break;
    if (head.toString('latin1', 257, 262) !== 'ustar') return undefined;
    const size = numberAt(head, 124, 12);
    const prefix = textAt(head, PREFIX_AT, 155);
    const name = textAt(head, 0, NAME_LENGTH);
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const isFolder = head[156] === '5'.charCodeAt(0);
    const text = isFolder ? undefined : textOfBytes(bytes.subarray(at + BLOCK, at + BLOCK + size));
    members.push({path, text, mode: numberAt(head, 100, 8), modified: numberAt(head, 136, 12) * 1000});
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return members;
}

function textAt(head: Buffer, from: number, length: number): string {
  const end = head.indexOf(0, from);
  return head.toString('utf8', from, end < 0 || end > from + length ? from + length : end);
}

function numberAt(head: Buffer, from: number, length: number): number {
  return Number.parseInt(head.toString('latin1', from, from + length).replaceAll(/[\0 ]/g, '') || '0', 8);
}
