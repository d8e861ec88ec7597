import {expect, test} from 'vitest';
import {nearest, type PortEndpoint} from './endpoints.ts';

const at = (address: string, zone?: string, node?: string): PortEndpoint => {
  const hints = {...(node ? {forNodes: [{name: node}]} : {}), ...(zone ? {forZones: [{name: zone}]} : {})};
  return {address, port: 80, local: false, ...(zone || node ? {hints} : {})};
};
const here = {nodeName: 'n1', zone: 'a'};

test.each([
  ['no hints', [at('1'), at('2')], '1 2'],
  ['its own node first', [at('1', 'a', 'n1'), at('2', 'a', 'n2')], '1'],
  ['else its zone', [at('1', 'a', 'n2'), at('2', 'b', 'n3')], '1'],
  ['else everybody', [at('1', 'b', 'n2'), at('2', 'c', 'n3')], '1 2'],
  ['one without a hint makes all hints void', [at('1', 'a'), at('2')], '1 2'],
])('where a proxy sends packets: %s', (_what, endpoints, wanted) => {
  expect(
    nearest(endpoints, here)
      .map(({address}) => address)
      .join(' '),
  ).toBe(wanted);
});

test('a proxy that does not know its zone takes all', () => {
  expect(nearest([at('1', 'a'), at('2', 'b')], {nodeName: 'n1'})).toHaveLength(2);
});
