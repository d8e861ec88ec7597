import {expect, test} from 'vitest';
import {Lab} from './lab.ts';

test('a member alone founds its cluster, leads it and serves', () => {
  const lab = Lab.running(1);
  expect(lab.host('cp-1').member?.id).toBe('cebdf10928a06f3c');
  expect(lab.put('cp-1', 'a', 'x')?.header?.revision).toBe(2);
  expect(lab.get('cp-1', 'a')).toBe('x');
  expect(lab.messages('cp-1')).toContain('cebdf10928a06f3c became leader at term 2');
});

test('a transaction compares, writes and tells its revision', () => {
  const lab = Lab.running(1);
  const create = {
    kind: 'txn',
    compare: [{key: 'a', target: 'mod', is: '=', value: 0}],
    success: [{kind: 'put', key: 'a', value: {n: 1}}],
    failure: [{kind: 'range', key: 'a'}],
  } as const;
  expect(lab.ask('cp-1', create)).toMatchObject({succeeded: true, header: {revision: 2}});
  expect(lab.ask('cp-1', create)).toMatchObject({succeeded: false, answers: [{kvs: [{key: 'a', modRevision: 2, version: 1}]}]});
});

test('a watch gets what it missed and what comes, in frames of one instant', () => {
  const lab = Lab.running(1);
  lab.put('cp-1', '/a/1', 'x');
  lab.put('cp-1', '/b/1', 'x');
  lab.put('cp-1', '/a/1', 'y');
  const frames = lab.watch('cp-1', {key: '/a/', end: '/a0', from: 2, previous: true});
  lab.run(10);
  for (const n of [1, 2, 3]) lab.send('cp-1', {kind: 'put', key: `/a/${n}`, value: n}, () => {});
  lab.run(10);
  expect(
    frames.map(({revision, events}) => [
      revision,
      events.map(({current, previous}) => [current.key, current.value, previous?.value]),
    ]),
  ).toEqual([
    [
      4,
      [
        ['/a/1', 'x', undefined],
        ['/a/1', 'y', 'x'],
      ],
    ],
    [
      7,
      [
        ['/a/1', 1, 'y'],
        ['/a/2', 2, undefined],
        ['/a/3', 3, undefined],
      ],
    ],
  ]);
});

test('three members agree, whoever is asked', () => {
  const lab = Lab.running(3);
  lab.put('cp-1', 'a', 1);
  lab.put('cp-2', 'b', 2);
  lab.put('cp-3', 'c', 3);
  for (const {name} of lab.hosts)
    expect(lab.ask(name, {kind: 'range', key: 'a', end: 'z'})?.kvs?.map(kv => kv.value)).toEqual([1, 2, 3]);
});
