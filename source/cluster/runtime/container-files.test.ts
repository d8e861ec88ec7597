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
    {path: '/data', readOnly: false, files: () => data, from: '/'},
    {path: '/etc/app', readOnly: true, files: () => config, from: '/'},
    {path: '/etc/one.conf', readOnly: true, files: () => config, from: '/a.conf'},
    {path: '/data/inner', readOnly: true, files: () => config, from: '/'},
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
