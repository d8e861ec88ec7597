import {expect, test} from 'vitest';
import {Files} from '../../sim/files.ts';
import {ContainerFiles} from './container-files.ts';

const wall = () => 0;

function setUp(): {files: ContainerFiles; data: Files; config: Files} {
  const data = new Files(wall);
  const config = new Files(wall);
  config.place('/a.conf', 'one');
  config.place('/b.conf', 'two');
  const files = new ContainerFiles(wall, [
    {source: '/data', path: '/data', readOnly: false, files: () => data, from: '/'},
    {source: '/etc/app', path: '/etc/app', readOnly: true, files: () => config, from: '/'},
    {source: '/etc/one.conf', path: '/etc/one.conf', readOnly: true, files: () => config, from: '/a.conf'},
    {source: '/data/inner', path: '/data/inner', readOnly: true, files: () => config, from: '/'},
  ]);
  return {files, data, config};
}

test('what is mounted is seen, and changes with the volume', () => {
  const {files, config} = setUp();
  expect(files.read('/etc/app/a.conf')).toBe('one');
  expect(files.list('/etc/app')).toEqual(['a.conf', 'b.conf']);
  config.place('/a.conf', 'changed');
  expect([files.read('/etc/app/a.conf'), files.read('/etc/one.conf')]).toEqual(['changed', 'changed']);
  expect(files.list('/etc')).toEqual(['app', 'one.conf']);
});

test('what is written goes to the volume, or is refused', () => {
  const {files, data} = setUp();
  expect(files.write('/data/x', 'hello')).toBeUndefined();
  expect(data.read('/x')).toBe('hello');
  expect(files.write('/etc/app/x', '')).toBe('EROFS');
  expect(files.remove('/etc/app/a.conf')).toBe('EROFS');
  expect(files.write('/data/inner/x', '')).toBe('EROFS');
  expect(files.read('/data/inner/b.conf')).toBe('two');
});

test('a file moves between the image and a volume', () => {
  const {files, data} = setUp();
  files.place('/tmp/y', 'mine');
  expect(files.rename('/tmp/y', '/data/y')).toBeUndefined();
  expect([data.read('/y'), files.read('/tmp/y')]).toEqual(['mine', undefined]);
});

test('a sealed root takes nothing, its mounts do', () => {
  const {files} = setUp();
  files.seal();
  expect([files.write('/x', ''), files.makeFolder('/y'), files.touch('/z')]).toEqual(['EROFS', 'EROFS', 'EROFS']);
  expect(files.touch('/data/z')).toBeUndefined();
});

test('who is not root makes files of their own, and writes where the folder lets them', () => {
  const {files, data} = setUp();
  data.setMode('/', 0o777);
  data.place('/root/secret', 'x', 0o600);
  files.guard({uid: 1000, gid: 3000, groups: [3000, 2000]});
  expect(files.write('/data/mine', 'hello')).toBeUndefined();
  expect(files.info('/data/mine')?.owner).toEqual({uid: 1000, gid: 3000});
  expect(files.append('/data/mine', '!')).toBeUndefined();
  expect([files.write('/data/root/new', ''), files.write('/data/root/secret', ''), files.write('/etc/x', '')]).toEqual([
    'EACCES',
    'EACCES',
    'EACCES',
  ]);
  expect(files.info('/data/root/secret')?.owner).toEqual({uid: 0, gid: 0});
});

test('a folder that hands on its group does so for all that is made in it', () => {
  const {files, data} = setUp();
  data.setOwner('/', {uid: 0, gid: 2000});
  data.setMode('/', 0o2775);
  files.guard({uid: 1000, gid: 3000, groups: [3000, 2000]});
  expect(files.makeFolder('/data/inside')).toBeUndefined();
  expect(files.write('/data/inside/x', '')).toBeUndefined();
  expect(files.info('/data/inside')).toMatchObject({owner: {uid: 1000, gid: 2000}, mode: 0o2755});
  expect(files.info('/data/inside/x')?.owner).toEqual({uid: 1000, gid: 2000});
});
