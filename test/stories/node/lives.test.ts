// How pods start step by step, stay, and end (golden/node).
import {expect, test} from 'vitest';
import {NodeLab} from './lab.ts';
import {PROGRAMS} from './programs.ts';

const busybox = 'busybox:1.36';

function conditionsOf(lab: NodeLab, name: string): string[] {
  return lab
    .status(name)
    ['conditions'].map((each: any) => [`${each.type}=${each.status}`, each.reason, each.message].filter(Boolean).join(' '));
}

function remove(lab: NodeLab, name: string, gracePeriodSeconds?: number): void {
  lab.api.serve({
    method: 'DELETE',
    path: `/api/v1/namespaces/default/pods/${name}`,
    body: gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds},
  });
}

test('init containers run one after the other, then the others', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const mount = {volumeMounts: [{name: 'gate', mountPath: '/gate'}]};
  lab.pod('api', {
    volumes: [{name: 'gate', emptyDir: {}}],
    initContainers: [
      {name: 'wait-db', image: busybox, command: ['until', '/gate/db'], ...mount},
      {name: 'migrate', image: busybox, command: ['until', '/gate/done'], ...mount},
    ],
    containers: [{name: 'api', image: 'nginx:1.27', ...mount}],
  });
  await lab.run(4000);
  expect(lab.status('api')).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [
      {name: 'wait-db', ready: false, started: true, state: {running: {}}},
      {name: 'migrate', ready: false, started: false, state: {waiting: {reason: 'PodInitializing'}}},
    ],
    containerStatuses: [{name: 'api', state: {waiting: {reason: 'PodInitializing'}}}],
  });
  expect(conditionsOf(lab, 'api')).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=False ContainersNotInitialized containers with incomplete status: [wait-db migrate]',
    'Ready=False ContainersNotReady containers with unready status: [api]',
    'ContainersReady=False ContainersNotReady containers with unready status: [api]',
    'PodScheduled=True',
  ]);
  const exec = async (container: string, command: string[]) =>
    lab.ask({
      method: 'POST',
      path: `/exec/default/api/${container}`,
      body: {command, stdin: false, stdout: true, stderr: true, tty: false},
    });
  await exec('wait-db', ['touch', '/gate/db']);
  await lab.run(2500);
  expect(lab.status('api')['initContainerStatuses']).toMatchObject([
    {ready: true, started: false, state: {terminated: {reason: 'Completed'}}},
    {state: {running: {}}},
  ]);
  await exec('migrate', ['touch', '/gate/done']);
  await lab.run(4000);
  expect(lab.status('api')).toMatchObject({phase: 'Running', containerStatuses: [{ready: true}]});
  expect(conditionsOf(lab, 'api')[1]).toBe('Initialized=True');
});

test('an init container that fails: again with back-off, or the end of the pod', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const spec = {
    initContainers: [{name: 'check', image: busybox, command: ['fail', '2', '0', 'no config']}],
    containers: [{name: 'app', image: 'nginx:1.27'}],
  };
  lab.pod('bad', spec);
  lab.pod('once', {...spec, restartPolicy: 'Never'});
  await lab.run(4000);
  expect(lab.status('bad')).toMatchObject({
    phase: 'Pending',
    initContainerStatuses: [{restartCount: 1, state: {terminated: {exitCode: 2}}}],
    containerStatuses: [{state: {waiting: {reason: 'PodInitializing'}}}],
  });
  expect(lab.events('bad').at(-1)).toContain('Warning BackOff: Back-off restarting failed container check in pod bad_default(');
  expect(lab.status('once')).toMatchObject({
    phase: 'Failed',
    initContainerStatuses: [{state: {terminated: {exitCode: 2}}}],
    containerStatuses: [{state: {waiting: {reason: 'PodInitializing'}}}],
  });
  expect(conditionsOf(lab, 'once')).toEqual([
    'PodReadyToStartContainers=False',
    'Initialized=False ContainersNotInitialized containers with incomplete status: [check]',
    'Ready=False PodFailed',
    'ContainersReady=False PodFailed',
    'PodScheduled=True',
  ]);
});

test('a sidecar starts first, stays beside, and ends after the others', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('with', {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 5,
    initContainers: [
      {
        name: 'agent',
        image: busybox,
        restartPolicy: 'Always',
        command: ['polite', '0'],
        startupProbe: {exec: {command: ['true']}, periodSeconds: 1},
      },
      {name: 'prepare', image: busybox, command: ['echo', 'prepared']},
    ],
    containers: [{name: 'main', image: busybox, command: ['sleep', '5']}],
  });
  await lab.run(4000);
  expect(lab.status('with')).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [{name: 'agent', ready: true, started: true}, {state: {terminated: {exitCode: 0}}}],
    containerStatuses: [{ready: true}],
  });
  await lab.run(8000);
  expect(lab.status('with')).toMatchObject({
    phase: 'Succeeded',
    initContainerStatuses: [
      {state: {terminated: {reason: 'Completed', exitCode: 0}}},
      {state: {terminated: {reason: 'Completed'}}},
    ],
    containerStatuses: [{state: {terminated: {reason: 'Completed', exitCode: 0}}}],
  });
  expect(lab.events('with').filter(line => /Started|Killing/.test(line))).toEqual([
    'Normal Started: Container started',
    'Normal Started: Container started',
    'Normal Started: Container started',
    'Normal Killing: Stopping container agent',
  ]);
});

test('an end by grace: ignored, obeyed, and as nginx does it', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const hold = {finalizers: ['example.com/hold']};
  lab.pod(
    'deaf',
    {terminationGracePeriodSeconds: 4, containers: [{name: 'main', image: busybox, command: ['sleep', '3600']}]},
    hold,
  );
  lab.pod('polite', {containers: [{name: 'main', image: busybox, command: ['polite']}]}, hold);
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27'}]}, hold);
  await lab.run(4000);
  const begun = lab.clock.now;
  const ends: Record<string, number> = {};
  for (const name of ['deaf', 'polite', 'web']) remove(lab, name);
  lab.network.listen('10.0.0.10', 1, () => undefined);
  for (let tick = 0; tick < 60; tick++) {
    await lab.run(100);
    for (const name of ['deaf', 'polite', 'web'])
      if (!lab.api.get('Pod', name) && !(name in ends)) ends[name] = lab.clock.now - begun;
  }
  expect(ends['web']).toBeLessThan(500);
  expect(ends['polite']).toBeLessThan(1500);
  expect(ends['deaf']).toBeGreaterThanOrEqual(4000);
  expect(ends['deaf']).toBeLessThan(4500);
  expect(lab.events('deaf').at(-1)).toBe('Normal Killing: Stopping container main');
  expect(lab.host.sandboxes.size).toBe(0);
  expect(lab.host.containers.size).toBe(0);
});

test('the last status of a pod that was asked to end', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('deaf', {terminationGracePeriodSeconds: 2, containers: [{name: 'main', image: busybox, command: ['sleep', '3600']}]});
  await lab.run(4000);
  const statuses: any[] = [];
  const serve = lab.api.serve.bind(lab.api);
  lab.api.serve = request => {
    const answer = serve(request);
    if (request.method === 'PATCH' && request.path.endsWith('/status')) statuses.push((answer.body as any).status);
    return answer;
  };
  remove(lab, 'deaf');
  await lab.run(4000);
  expect(statuses).toHaveLength(1);
  expect(statuses[0]).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{state: {terminated: {exitCode: 137, reason: 'Error'}}}],
  });
  expect(statuses[0].conditions.map((each: any) => [each.type, each.status, each.reason].join(' ').trim())).toEqual([
    'PodReadyToStartContainers False',
    'Initialized True',
    'Ready False PodFailed',
    'ContainersReady False PodFailed',
    'PodScheduled True',
  ]);
});

test('a pod that is gone by force is ended all the same', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('stubborn', {
    terminationGracePeriodSeconds: 60,
    containers: [{name: 'main', image: busybox, command: ['sleep', '3600']}],
  });
  await lab.run(4000);
  remove(lab, 'stubborn', 0);
  await lab.run(5000);
  expect(lab.host.containers.size).toBe(0);
  expect(lab.kernel.processes.size).toBe(0);
});

test('a deadline fails the pod', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('late', {
    activeDeadlineSeconds: 3,
    terminationGracePeriodSeconds: 1,
    containers: [{name: 'main', image: busybox, command: ['sleep', '3600']}],
  });
  await lab.run(7000);
  expect(lab.status('late')).toMatchObject({
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
    containerStatuses: [{state: {terminated: {exitCode: 137}}}],
  });
  expect(lab.events('late').slice(-2)).toEqual([
    'Normal DeadlineExceeded: Pod was active on the node longer than the specified deadline',
    'Normal Killing: Stopping container main',
  ]);
});

test('pods that the node does not take', async () => {
  const lab = await NodeLab.ready();
  const ports = [{containerPort: 80, hostPort: 8088, protocol: 'TCP'}];
  lab.pod('first', {containers: [{name: 'web', image: 'nginx:1.27', ports, resources: {requests: {cpu: '500m'}}}]});
  await lab.run(2000);
  expect(await lab.get('10.0.0.21', 8088, '/')).toMatchObject({status: 200});
  lab.pod('port', {containers: [{name: 'web', image: 'nginx:1.27', ports}]});
  lab.pod('cpu', {containers: [{name: 'web', image: 'nginx:1.27', resources: {requests: {cpu: '100'}}}]});
  lab.pod('label', {nodeSelector: {disk: 'ssd'}, containers: [{name: 'web', image: 'nginx:1.27'}]});
  lab.pod('fine', {containers: [{name: 'web', image: 'nginx:1.27'}]});
  await lab.run(2000);
  const lines = ['port', 'cpu', 'label'].map(
    name => `${lab.status(name)['phase']}|${lab.status(name)['reason']}|${lab.status(name)['message']}`,
  );
  expect(lines).toEqual([
    "Failed|NodePorts|Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    "Failed|OutOfcpu|Pod was rejected: Node didn't have enough resource: cpu, requested: 100000, used: 500, capacity: 4000",
    "Failed|NodeAffinity|Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  ]);
  expect(lab.events('cpu')).toEqual([
    "Warning OutOfcpu: Node didn't have enough resource: cpu, requested: 100000, used: 500, capacity: 4000",
  ]);
  expect(lab.status('fine')['phase']).toBe('Running');
  remove(lab, 'port');
  await lab.run(2000);
  expect(lab.api.get('Pod', 'port')).toBeUndefined();
});

test('a runtime that stops: containers serve on, new pods wait, the node is not ready, and all comes back', async () => {
  const lab = await NodeLab.ready();
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(4000);
  lab.runtime.exit(0);
  lab.pod('late', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(2000);
  expect(lab.events('late')).toEqual([
    'Warning FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"',
  ]);
  expect(await lab.get('10.244.0.2', 80, '/')).toMatchObject({status: 200});
  await lab.run(40_000);
  const ready = () => lab.api.get('Node', 'node-1')?.['status'].conditions.find((each: any) => each.type === 'Ready');
  expect(ready()).toMatchObject({status: 'False', reason: 'KubeletNotReady', message: 'container runtime is down'});
  lab.startRuntime();
  await lab.run(20_000);
  expect(ready()).toMatchObject({status: 'True', reason: 'KubeletReady'});
  expect(lab.status('late')['phase']).toBe('Running');
  expect(lab.status('web')).toMatchObject({phase: 'Running', containerStatuses: [{restartCount: 0}]});
});

test('a kubelet that stops and starts finds its pods again', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  lab.pod('gone', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(4000);
  const id = lab.status('web')['containerStatuses'][0].containerID;
  lab.kubelet.exit(0);
  remove(lab, 'gone', 0);
  lab.pod('late', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(5000);
  expect(lab.host.containers.size).toBe(2);
  lab.startKubelet();
  await lab.run(5000);
  expect(lab.status('late')['phase']).toBe('Running');
  expect(lab.status('web')['containerStatuses'][0]).toMatchObject({containerID: id, restartCount: 0, ready: true});
  expect(lab.host.containers.size).toBe(2);
});
