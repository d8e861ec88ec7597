// A volume's files are links into a folder that changes as a whole.
import {expect, test} from 'vitest';
import {followPath, Files} from '../../../sim/files.ts';
import {layAtOnce} from './volume-folder.ts';

const laid = (files: Record<string, string>) => new Map(Object.entries(files).map(([path, text]) => [path, {text, mode: 0o644}]));
const read = (tree: Files, path: string) => tree.read(followPath(tree, {folder: '/', path, last: true}) ?? '');

test('names lead through ..data, nested ones by their first part', () => {
  const tree = new Files(() => 0);
  layAtOnce(tree, laid({'a.conf': 'one', 'certs/tls.crt': 'pem'}), 1_000.5);
  expect(tree.linkAt('/a.conf')).toBe('..data/a.conf');
  expect(tree.linkAt('/certs')).toBe('..data/certs');
  expect(tree.linkAt('/..data')).toMatch(/^\.\.1970_01_01_00_00_01\.\d+$/);
  expect([read(tree, '/a.conf'), read(tree, '/certs/tls.crt')]).toEqual(['one', 'pem']);
});

test('a change is one of ..data: what is new comes, what is gone goes, the old folder too', () => {
  const tree = new Files(() => 0);
  layAtOnce(tree, laid({a: '1', b: '2'}), 1000);
  const before = tree.linkAt('/..data');
  layAtOnce(tree, laid({a: '1', b: '2'}), 2000);
  expect(tree.linkAt('/..data')).toBe(before);
  layAtOnce(tree, laid({a: '3', c: '4'}), 3000);
  expect(tree.list('/')?.filter(name => !name.startsWith('..'))).toEqual(['a', 'c']);
  expect([read(tree, '/a'), read(tree, '/c'), read(tree, '/b')]).toEqual(['3', '4', undefined]);
  expect(tree.info(`/${before}`)).toBeUndefined();
});
