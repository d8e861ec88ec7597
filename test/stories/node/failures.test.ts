// Containers that do not run, in the words of a real node (golden/node).
import {expect, test} from 'vitest';
import {NodeLab} from './lab.ts';
import {PROGRAMS} from './programs.ts';

function waitingOf(lab: NodeLab, name: string): string {
  const {state} = lab.status(name)['containerStatuses'][0];
  return `${state.waiting?.reason}; ${state.waiting?.message}`;
}

test('images that cannot be pulled: each with its own words', async () => {
  const lab = await NodeLab.ready();
  const images = {
    tag: 'nginx:1.27-nope',
    name: 'ngnix:1.27',
    host: 'registry.invalid/web:1',
    refused: 'localhost:5999/web:1',
    invalid: 'nginx:1.27:1',
    upper: 'Nginx:1.27',
  };
  for (const [name, image] of Object.entries(images)) lab.pod(name, {containers: [{name: 'web', image}]});
  lab.pod('never', {containers: [{name: 'web', image: 'busybox:1.36', imagePullPolicy: 'Never'}]});
  await lab.run(2000);
  expect(waitingOf(lab, 'tag')).toBe(
    'ErrImagePull; rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.27-nope": failed to resolve image: docker.io/library/nginx:1.27-nope: not found',
  );
  await lab.run(13_000);
  expect(lab.events('tag')).toEqual([
    'Normal Pulling: Pulling image "nginx:1.27-nope"',
    'Warning Failed: Failed to pull image "nginx:1.27-nope": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.27-nope": failed to resolve image: docker.io/library/nginx:1.27-nope: not found',
    'Warning Failed: Error: ErrImagePull',
    'Normal BackOff: Back-off pulling image "nginx:1.27-nope"',
    'Warning Failed: Error: ImagePullBackOff',
  ]);
  const warnings = (name: string) => lab.events(name).filter(line => line.startsWith('Warning'));
  expect(warnings('name')[0]).toBe(
    'Warning Failed: Failed to pull image "ngnix:1.27": failed to pull and unpack image "docker.io/library/ngnix:1.27": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  );
  expect(warnings('host')[0]).toBe(
    'Warning Failed: Failed to pull image "registry.invalid/web:1": failed to pull and unpack image "registry.invalid/web:1": failed to resolve image: failed to do request: Head "https://registry.invalid/v2/web/manifests/1": dial tcp: lookup registry.invalid on 127.0.0.1:53: no such host',
  );
  expect(warnings('refused')[0]).toBe(
    'Warning Failed: Failed to pull image "localhost:5999/web:1": failed to pull and unpack image "localhost:5999/web:1": failed to resolve image: failed to do request: Head "https://localhost:5999/v2/web/manifests/1": dial tcp 127.0.0.1:5999: connect: connection refused',
  );
  expect(waitingOf(lab, 'never')).toBe(
    'ErrImageNeverPull; Container image "busybox:1.36" is not present with pull policy of Never',
  );
  expect(warnings('never')).toEqual([
    'Warning ErrImageNeverPull: Container image "busybox:1.36" is not present with pull policy of Never',
    'Warning Failed: Error: ErrImageNeverPull',
  ]);
  expect(waitingOf(lab, 'invalid')).toBe(
    'InvalidImageName; Failed to apply default image tag "nginx:1.27:1": couldn\'t parse image name "nginx:1.27:1": invalid reference format',
  );
  expect(waitingOf(lab, 'upper')).toBe(
    'InvalidImageName; Failed to apply default image tag "Nginx:1.27": couldn\'t parse image name "Nginx:1.27": invalid reference format: repository name (library/Nginx) must be lowercase',
  );
});

test('a pull that failed backs off from 10 s up to 5 min, and a corrected image starts at once', async () => {
  const lab = await NodeLab.ready();
  const pod = lab.pod('tag', {containers: [{name: 'web', image: 'nginx:1.27-nope'}]});
  const pulls: number[] = [];
  const begun = lab.clock.now;
  const seen = new Set<string>();
  for (let second = 0; second < 130; second++) {
    await lab.run(1000);
    for (const event of lab.api.all('Event'))
      if (event['reason'] === 'Pulling' && !seen.has(`${event['count']}`)) {
        seen.add(`${event['count']}`);
        pulls.push((lab.clock.now - begun) / 1000);
      }
  }
  const gaps = pulls.slice(1).map((at, index) => at - (pulls[index] ?? 0));
  for (const [index, least] of [10, 20, 40].entries()) {
    expect(gaps[index]).toBeGreaterThanOrEqual(least);
    expect(gaps[index]).toBeLessThan(least + 16);
  }
  for (let second = 0; second < 60 && !waitingOf(lab, 'tag').startsWith('ImagePullBackOff'); second++) await lab.run(1000);
  expect(waitingOf(lab, 'tag')).toContain(
    'ImagePullBackOff; Back-off pulling image "nginx:1.27-nope": ErrImagePull: rpc error: code = NotFound',
  );
  const current = lab.api.get('Pod', 'tag');
  lab.api.put({
    ...pod,
    ...current,
    spec: {...current?.['spec'], containers: [{...current?.['spec'].containers[0], image: 'nginx:1.27'}]},
  } as never);
  await lab.run(4000);
  // The key of the back-off is the image, so another one does not wait.
  expect(lab.status('tag')).toMatchObject({phase: 'Running', containerStatuses: [{restartCount: 0, ready: true}]});
});

test('a container that ends again and again: Error until somebody looks, back-off 10 s, 20 s, 40 s', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const pod = lab.pod('api', {
    containers: [{name: 'api', image: 'busybox:1.36', command: ['fail', '1', '1', 'fatal: DATABASE_URL is not set']}],
  });
  await lab.run(4500);
  const status = () => lab.status('api')['containerStatuses'][0];
  expect(status()).toMatchObject({
    restartCount: 1,
    ready: false,
    started: false,
    state: {terminated: {reason: 'Error', exitCode: 1}},
    lastState: {terminated: {reason: 'Error', exitCode: 1}},
  });
  expect(lab.status('api')['phase']).toBe('Running');
  const uid = pod.metadata['uid'];
  expect(lab.events('api').at(-1)).toBe(`Warning BackOff: Back-off restarting failed container api in pod api_default(${uid})`);
  const logs = async (query: Record<string, string>) =>
    (await lab.ask({method: 'GET', path: '/containerLogs/default/api/api', query})).answer?.body;
  expect(await logs({})).toBe('fatal: DATABASE_URL is not set\n');
  expect(await logs({previous: 'true'})).toMatch(/^unable to retrieve container logs for containerd:\/\/[0-9a-f]{64}$/);
  expect(lab.host.containers.size).toBe(1);
  const touch = (value: string) => {
    const current = lab.api.get('Pod', 'api');
    if (current) lab.api.put({...current, metadata: {...current.metadata, annotations: {looked: value}}});
  };
  touch('1');
  await lab.run(500);
  expect(status()).toMatchObject({
    state: {
      waiting: {reason: 'CrashLoopBackOff', message: `back-off 10s restarting failed container=api pod=api_default(${uid})`},
    },
    lastState: {terminated: {exitCode: 1}},
  });
  expect(await logs({previous: 'true'})).toBe('fatal: DATABASE_URL is not set\n');
  await lab.run(11_000);
  expect(status()).toMatchObject({restartCount: 2, state: {terminated: {exitCode: 1}}});
  touch('2');
  await lab.run(500);
  expect(status().state.waiting.message).toContain('back-off 20s');
  await lab.run(23_000);
  touch('3');
  await lab.run(500);
  expect(status()).toMatchObject({restartCount: 3, state: {waiting: {message: expect.stringContaining('back-off 40s')}}});
});

test.for([
  ['Never', ['true'], 'Succeeded', 'Completed', 0],
  ['Never', ['fail', '1', '0'], 'Failed', 'Error', 1],
  ['Never', ['fail', '137', '0'], 'Failed', 'Error', 137],
  ['OnFailure', ['true'], 'Succeeded', 'Completed', 0],
] as const)('restartPolicy %s and %j make the phase %s', async ([restartPolicy, command, phase, reason, exitCode]) => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('once', {restartPolicy, containers: [{name: 'main', image: 'busybox:1.36', command}]});
  await lab.run(4000);
  const status = lab.status('once');
  expect(status).toMatchObject({phase, containerStatuses: [{state: {terminated: {reason, exitCode}}, ready: false}]});
  const end = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  expect(status['conditions'].map((each: any) => [each.type, each.status, each.reason].join(' ').trim())).toEqual([
    'PodReadyToStartContainers False',
    phase === 'Succeeded' ? 'Initialized True PodCompleted' : 'Initialized True',
    `Ready False ${end}`,
    `ContainersReady False ${end}`,
    'PodScheduled True',
  ]);
});

const CREATE =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init:';

test.for([
  [['serve', '--port', '80'], `${CREATE} exec: "serve": executable file not found in $PATH`],
  [['/app/serve'], `${CREATE} exec: "/app/serve": stat /app/serve: no such file or directory`],
  [['/etc/passwd'], `${CREATE} exec: "/etc/passwd": permission denied`],
] as const)('a command that cannot be run: %j', async ([command, message]) => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('never', {restartPolicy: 'Never', containers: [{name: 'main', image: 'busybox:1.36', command}]});
  lab.pod('always', {containers: [{name: 'main', image: 'busybox:1.36', command}]});
  await lab.run(4000);
  expect(lab.status('never')).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{state: {terminated: {reason: 'StartError', exitCode: 128, message, startedAt: '1970-01-01T00:00:00Z'}}}],
  });
  expect(lab.status('always')).toMatchObject({
    phase: 'Running',
    containerStatuses: [
      {
        restartCount: 1,
        state: {waiting: {reason: 'RunContainerError', message}},
        lastState: {terminated: {reason: 'StartError', exitCode: 128}},
      },
    ],
  });
  expect(lab.events('never').at(-1)).toBe(`Warning Failed: Error: ${message}`);
});

test('environment from what is missing, and recovery', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const env = (valueFrom: object) => ({containers: [{name: 'api', image: 'nginx:1.27', env: [{name: 'X', valueFrom}]}]});
  lab.pod('nocm', env({configMapKeyRef: {name: 'app', key: 'ROUTE'}}));
  lab.pod('nosecret', env({secretKeyRef: {name: 'db', key: 'password'}}));
  lab.pod('envfrom', {containers: [{name: 'api', image: 'nginx:1.27', envFrom: [{configMapRef: {name: 'all'}}]}]});
  await lab.run(3500);
  expect(['nocm', 'nosecret', 'envfrom'].map(name => waitingOf(lab, name))).toEqual([
    'CreateContainerConfigError; configmap "app" not found',
    'CreateContainerConfigError; secret "db" not found',
    'CreateContainerConfigError; configmap "all" not found',
  ]);
  expect(lab.events('nocm').filter(line => line.startsWith('Warning'))).toEqual([
    'Warning Failed: Error: configmap "app" not found',
  ]);
  lab.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'app', namespace: 'default'}, data: {ROUTES: '/a'}});
  lab.api.put({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'db', namespace: 'default'}, data: {pass: 'aHVudGVyMg=='}});
  await lab.run(35_000);
  expect(['nocm', 'nosecret'].map(name => waitingOf(lab, name))).toEqual([
    "CreateContainerConfigError; couldn't find key ROUTE in ConfigMap default/app",
    "CreateContainerConfigError; couldn't find key password in Secret default/db",
  ]);
  lab.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'app', namespace: 'default'}, data: {ROUTE: '/b'}});
  await lab.run(16_000);
  expect(lab.status('nocm')).toMatchObject({phase: 'Running', containerStatuses: [{restartCount: 0}]});
});

test('volumes that do not mount, and recovery', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.api.put({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'tls-extra', namespace: 'default'}, data: {'ca.crt': 'eA=='}});
  lab.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'extra', namespace: 'default'}, data: {'b.conf': 'x'}});
  const volumes: Record<string, object> = {
    nocm: {name: 'cfg', configMap: {name: 'app'}},
    nosecret: {name: 'tls', secret: {secretName: 'tls'}},
    nokey: {name: 'extra', secret: {secretName: 'tls-extra', items: [{key: 'ca.pem', path: 'ca.pem'}]}},
    noconfigkey: {name: 'cfg', projected: {sources: [{configMap: {name: 'extra', items: [{key: 'a.conf', path: 'a.conf'}]}}]}},
    hostdir: {name: 'host', hostPath: {path: '/no/such/folder', type: 'Directory'}},
    hostfile: {name: 'host', hostPath: {path: '/etc', type: 'File'}},
    fine: {name: 'cfg', configMap: {name: 'none', optional: true}},
  };
  for (const [name, volume] of Object.entries(volumes))
    lab.pod(name, {containers: [{name: 'web', image: 'nginx:1.27'}], volumes: [volume]});
  await lab.run(3500);
  const failures = Object.keys(volumes).flatMap(name =>
    lab
      .events(name)
      .filter(line => line.includes('FailedMount'))
      .map(line => `${name} ${line}`),
  );
  expect(failures).toEqual([
    'nocm Warning FailedMount: MountVolume.SetUp failed for volume "cfg" : configmap "app" not found',
    'nosecret Warning FailedMount: MountVolume.SetUp failed for volume "tls" : secret "tls" not found',
    'nokey Warning FailedMount: MountVolume.SetUp failed for volume "extra" : references non-existent secret key: ca.pem',
    'noconfigkey Warning FailedMount: MountVolume.SetUp failed for volume "cfg" : configmap references non-existent config key: a.conf',
    'hostdir Warning FailedMount: MountVolume.SetUp failed for volume "host" : hostPath type check failed: /no/such/folder is not a directory',
    'hostfile Warning FailedMount: MountVolume.SetUp failed for volume "host" : hostPath type check failed: /etc is not a file',
  ]);
  expect(lab.status('fine')['phase']).toBe('Running');
  const status = lab.status('nocm');
  expect(status['podIP']).toBeUndefined();
  expect(status['conditions'].map((each: any) => [each.type, each.status, each.reason].join(' ').trim())).toEqual([
    'PodReadyToStartContainers False',
    'Initialized True',
    'Ready False ContainersNotReady',
    'ContainersReady False ContainersNotReady',
    'PodScheduled True',
  ]);
  lab.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'app', namespace: 'default'}, data: {'a.conf': '1'}});
  await lab.run(5000);
  expect(lab.status('nocm')['phase']).toBe('Running');
});

test('a limit that is too small: OOMKilled, also again', async () => {
  const images = [
    {
      image: 'registry.local/hog:1',
      size: '1Mi',
      program: {
        memory: {
          points: [
            [0, '1Mi'],
            [1, '100Mi'],
          ],
        },
      },
    },
  ] as const;
  const lab = await NodeLab.ready({images});
  lab.pod('hog', {
    restartPolicy: 'Never',
    containers: [{name: 'main', image: 'registry.local/hog:1', resources: {limits: {memory: '20Mi'}}}],
  });
  await lab.run(4000);
  expect(lab.status('hog')).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{state: {terminated: {reason: 'OOMKilled', exitCode: 137}}}],
  });
});

test('last words: from the file, from another file, from the log when the container failed', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('lastwords', {
    restartPolicy: 'Never',
    containers: [
      {name: 'file', image: 'busybox:1.36', command: ['note', '/dev/termination-log', '4', 'disk is full']},
      {name: 'path', image: 'busybox:1.36', terminationMessagePath: '/tmp/last', command: ['note', '/tmp/last', '0', 'moved']},
      {
        name: 'fallback',
        image: 'busybox:1.36',
        terminationMessagePolicy: 'FallbackToLogsOnError',
        command: ['fail', '5', '0', 'panic: no route'],
      },
      {name: 'silent', image: 'busybox:1.36', command: ['fail', '6', '0', 'only in the log']},
    ],
  });
  await lab.run(4000);
  const words = lab
    .status('lastwords')
    ['containerStatuses'].map((each: any) => [each.name, each.state.terminated.exitCode, each.state.terminated.message]);
  expect(words).toEqual([
    ['fallback', 5, 'panic: no route\n'],
    ['file', 4, 'disk is full\n'],
    ['path', 0, 'moved\n'],
    ['silent', 6, undefined],
  ]);
});

test('a pod that crashes for three days: every five minutes or a little later, and a handful of events that count', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('api', {containers: [{name: 'api', image: 'busybox:1.36', command: ['fail', '1', '1', 'fatal']}]});
  const restarts = () => lab.status('api')['containerStatuses'][0].restartCount as number;
  await lab.run(24 * 3_600_000);
  const first = restarts();
  const {count} = lab.clock;
  await lab.run(24 * 3_600_000);
  const second = restarts();
  const work = lab.clock.count - count;
  await lab.run(24 * 3_600_000);
  expect([first, second - first, restarts() - second].every(each => each > 250 && each < 300)).toBe(true);
  expect(lab.clock.count - count - work).toBeLessThan(work * 1.05);
  expect(lab.events('api').length).toBeLessThan(10);
  expect(lab.host.containers.size).toBeLessThan(3);
});
