// Logs of containers as files of the machine: there when somebody looks, gone with their containers.
import {expect, test} from 'vitest';
import {followPath} from '../../sim/files.ts';
import {MachineFiles, type ContainerLogFile} from './machine-files.ts';

const log = (attempt: number, text: string): ContainerLogFile => ({
  namespace: 'shop',
  pod: 'web',
  uid: 'u1',
  container: 'main',
  attempt,
  id: `id${attempt}`,
  read: () => text,
});

test('a log is found under its pod, and by its link', () => {
  const files = new MachineFiles(() => 0);
  expect(files.list('/var/log/pods')).toBeUndefined();
  files.containerLogs = () => [log(0, 'one\n')];
  expect(files.list('/var/log/pods')).toEqual(['shop_web_u1']);
  expect(files.read('/var/log/pods/shop_web_u1/main/0.log')).toBe('one\n');
  const link = '/var/log/containers/web_shop_main-id0.log';
  expect(files.read(followPath(files, {folder: '/', path: link, last: true}) ?? '')).toBe('one\n');
});

test('what is removed is gone, what is new is there, and other files stay', () => {
  const files = new MachineFiles(() => 0);
  let logs = [log(0, 'one\n')];
  files.containerLogs = () => logs;
  files.place('/var/log/syslog', 'x');
  expect(files.list('/var/log/pods/shop_web_u1/main')).toEqual(['0.log']);
  logs = [log(1, 'two\n')];
  expect(files.list('/var/log/pods/shop_web_u1/main')).toEqual(['1.log']);
  expect(files.list('/var/log/containers')).toEqual(['web_shop_main-id1.log']);
  expect(files.read('/var/log/syslog')).toBe('x');
});
