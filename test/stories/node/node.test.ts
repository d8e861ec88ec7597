import {expect, test} from 'vitest';
import {NodeLab} from './lab.ts';

const TOKEN_VOLUME = {
  name: 'kube-api-access-abcde',
  projected: {
    defaultMode: 420,
    sources: [
      {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
      {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
      {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
    ],
  },
};

test('a node registers, is ready, and renews its lease', async () => {
  const lab = await NodeLab.ready();
  await lab.run(11_000);
  const node = lab.api.get('Node', 'node-1');
  expect(node?.['status'].conditions.map((each: any) => `${each.type}=${each.status} ${each.reason}`)).toEqual([
    'MemoryPressure=False KubeletHasSufficientMemory',
    'DiskPressure=False KubeletHasNoDiskPressure',
    'PIDPressure=False KubeletHasSufficientPID',
    'Ready=True KubeletReady',
  ]);
  expect(lab.events('node-1').map(line => line.split(':')[0])).toEqual([
    'Normal Starting',
    'Normal NodeHasSufficientMemory',
    'Normal NodeHasNoDiskPressure',
    'Normal NodeHasSufficientPID',
    'Normal NodeReady',
  ]);
  const lease = lab.api.get('Lease', 'node-1', 'kube-node-lease');
  expect(lease?.['spec']).toMatchObject({holderIdentity: 'node-1', leaseDurationSeconds: 40});
});

test('a pod is pulled, started and Ready, in two writes of its status', async () => {
  const lab = await NodeLab.ready();
  const mounts = [{name: TOKEN_VOLUME.name, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true}];
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27', volumeMounts: mounts}], volumes: [TOKEN_VOLUME]});
  lab.api.requests.length = 0;
  await lab.run(4000);
  const status = lab.status('web');
  expect(status).toMatchObject({phase: 'Running', hostIP: '10.0.0.21', podIP: '10.244.0.2', observedGeneration: 1});
  expect(status['conditions'].map((each: any) => `${each.type}=${each.status}`)).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=True',
    'Ready=True',
    'ContainersReady=True',
    'PodScheduled=True',
  ]);
  expect(status['containerStatuses'][0]).toMatchObject({
    name: 'nginx',
    image: 'docker.io/library/nginx:1.27',
    ready: true,
    started: true,
    restartCount: 0,
    lastState: {},
    resources: {},
    user: {linux: {gid: 0, supplementalGroups: [0], uid: 0}},
    volumeMounts: [
      {
        mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
        name: 'kube-api-access-abcde',
        readOnly: true,
        recursiveReadOnly: 'Disabled',
      },
    ],
  });
  expect(
    lab.events('web').map(line => line.replace(/in \S+ \(\S+ including waiting\)\. Image size: \d+/, 'in <time>. <size>')),
  ).toEqual([
    'Normal Pulling: Pulling image "nginx:1.27"',
    'Normal Pulled: Successfully pulled image "nginx:1.27" in <time>. <size> bytes.',
    'Normal Created: Container created',
    'Normal Started: Container started',
  ]);
  expect(lab.api.requests.filter(line => line === 'PATCH pods/status')).toHaveLength(2);
  expect(await lab.get('10.244.0.2', 80, '/')).toMatchObject({status: 200});
  expect(await lab.get('10.244.0.2', 80, '/nope')).toMatchObject({status: 404});
});

test('a node that gets no range of addresses is not asked about it ten times a second for ever', async () => {
  const lab = new NodeLab();
  await lab.run(500);
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(10_000);
  const before = lab.clock.count;
  await lab.run(600_000);
  expect(lab.clock.count - before).toBeLessThan(1500);
  lab.api.put({...lab.api.get('Node', 'node-1'), spec: {podCIDR: '10.244.0.0/24'}} as never);
  await lab.run(15_000);
  expect(lab.status('web')['podIP']).toBe('10.244.0.2');
});
