import {expect, test} from 'vitest';
import {Files} from '../../sim/files.ts';
import {installNetworkPlugin, PodAddresses} from './addresses.ts';

function addresses(range = '10.244.3.0/24'): {pods: PodAddresses; files: Files} {
  const files = new Files(() => 0);
  installNetworkPlugin(files);
  const pods = new PodAddresses(files);
  pods.setRange(range);
  return {pods, files};
}

test('one after the other, round and round', () => {
  const {pods} = addresses('10.244.3.0/29');
  const taken = Array.from({length: 5}, () => pods.take());
  expect(taken.map(each => ('address' in each ? each.address : ''))).toEqual([
    '10.244.3.2',
    '10.244.3.3',
    '10.244.3.4',
    '10.244.3.5',
    '10.244.3.6',
  ]);
  expect(pods.take()).toEqual({
    error:
      'plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.3.1-10.244.3.6',
  });
  pods.release('10.244.3.3');
  expect(pods.take()).toEqual({address: '10.244.3.3'});
});

test('an address that just became free is not the next one', () => {
  const {pods} = addresses();
  pods.take();
  pods.release('10.244.3.2');
  expect(pods.take()).toEqual({address: '10.244.3.3'});
});

test('without a configuration or a plugin there is no network', () => {
  const {pods, files} = addresses();
  expect(pods.notReady).toBeUndefined();
  files.remove('/opt/cni/bin/bridge');
  expect(pods.take()).toEqual({
    error: 'plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]',
  });
  files.remove('/etc/cni/net.d', true);
  expect(pods.notReady).toBe('Network plugin returns error: cni plugin not initialized');
});
