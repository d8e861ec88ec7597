// How often the attacher tries what cannot be done yet.
import {expect, test} from 'vitest';
import type {VolumeAttachment} from '../../api/kinds/storage-v1.ts';
import {DISK_DRIVER} from '../../api/meta/disk-driver.ts';
import {Client} from '../../client/client.ts';
import {FakeApi} from '../../client/testing/fake-api.ts';
import {DiskArray} from '../../sim/disk-array.ts';
import {startAttacher} from './attacher.ts';

const STORAGE = 'storage.k8s.io/v1';

function start(): {readonly api: FakeApi; readonly disks: DiskArray} {
  const api = new FakeApi('csi-attacher');
  const {daemon} = api;
  const disks = new DiskArray(() => daemon.wall());
  const client = new Client({daemon, host: '10.0.0.10', port: 6443, credentials: {}, userAgent: 'csi-attacher'});
  startAttacher({daemon, client, disks, pod: 'csi-disk-controller'});
  const drivers = [{name: DISK_DRIVER, nodeID: 'n1', topologyKeys: []}];
  api.create({apiVersion: STORAGE, kind: 'CSINode', metadata: {name: 'node-1'}, spec: {drivers}});
  const spec = {attacher: DISK_DRIVER, nodeName: 'node-1', source: {persistentVolumeName: 'pv'}};
  api.create({apiVersion: STORAGE, kind: 'VolumeAttachment', metadata: {name: 'a'}, spec});
  return {api, disks};
}

const statusOf = (api: FakeApi) => api.get<VolumeAttachment>('volumeattachments', 'a')?.status;

test('a volume that is not there is asked for again after a second, and after twice as long each time', () => {
  const {api} = start();
  const tries: number[] = [];
  api.intercept = ({method, path}) => {
    if (method === 'PUT' && path.endsWith('/a/status')) tries.push(Math.floor(api.clock.now / 1000));
    return undefined;
  };
  api.run(64_000);
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63]);
  expect(statusOf(api)?.attachError?.message).toBe('persistentvolume "pv" not found');
});

test('it is attached with the first try after it came', () => {
  const {api, disks} = start();
  api.run(20_000);
  disks.make('disk', {bytes: 1 << 30, zone: '', owner: 'pv'});
  const spec = {csi: {driver: DISK_DRIVER, volumeHandle: 'disk'}};
  api.create({apiVersion: 'v1', kind: 'PersistentVolume', metadata: {name: 'pv'}, spec});
  api.run(20_000);
  expect(statusOf(api)).toEqual({attached: true});
  expect(disks.find('disk')?.host).toBe('node-1');
});
