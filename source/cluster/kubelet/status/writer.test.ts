import {expect, test} from 'vitest';
import {change} from './writer.ts';

test('a pod that got another address has that one alone', () => {
  const before = {podIP: '10.244.0.2', podIPs: [{ip: '10.244.0.2'}]};
  const status = {podIP: '10.244.0.3', podIPs: [{ip: '10.244.0.3'}]};
  expect(change(status, before)).toEqual({...status, podIPs: [{$patch: 'delete', ip: '10.244.0.2'}, {ip: '10.244.0.3'}]});
  expect(change(status, status)).toEqual(status);
  expect(change(status, undefined)).toEqual(status);
});

test('what a condition says no more is taken from it', () => {
  const before = {conditions: [{type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'web'}]};
  expect(change({conditions: [{type: 'Ready', status: 'True'}]}, before)).toEqual({
    conditions: [{reason: null, message: null, type: 'Ready', status: 'True'}],
  });
});
