// Probes, logs, commands, components and what a container knows of itself (golden/node).
import {expect, test} from 'vitest';
import {NodeLab} from './lab.ts';
import {PROGRAMS} from './programs.ts';

const busybox = 'busybox:1.36';

function warnings(lab: NodeLab, name: string): string[] {
  return lab.events(name).filter(line => line.startsWith('Warning'));
}

test('liveness probes that fail kill the container, in the words of each kind', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  const probe = (livenessProbe: object, image = busybox) => ({
    terminationGracePeriodSeconds: 2,
    containers: [
      {
        name: 'main',
        image,
        ...(image === busybox ? {command: ['sleep', '3600']} : {}),
        livenessProbe: {periodSeconds: 1, ...livenessProbe},
      },
    ],
  });
  lab.pod('http', probe({httpGet: {path: '/healthz', port: 80}, failureThreshold: 3}, 'nginx:1.27'));
  lab.pod('refused', probe({httpGet: {path: '/healthz', port: 8080}, failureThreshold: 3}));
  lab.pod('exec', probe({exec: {command: ['cat', '/tmp/healthy']}, failureThreshold: 2}));
  lab.pod('tcp', probe({tcpSocket: {port: 9000}, failureThreshold: 2}));
  lab.pod('missing', probe({exec: {command: ['/bin/check-health']}, failureThreshold: 1}));
  await lab.run(9000);
  const ip = (name: string) => lab.status(name)['podIP'];
  expect(warnings(lab, 'http')[0]).toBe('Warning Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 404');
  expect(lab.events('http')).toContain('Normal Killing: Container main failed liveness probe, will be restarted');
  expect(lab.status('http')['containerStatuses'][0]).toMatchObject({
    restartCount: expect.any(Number),
    lastState: {terminated: {reason: 'Completed', exitCode: 0}},
  });
  expect(warnings(lab, 'refused')).toEqual([
    `Warning Unhealthy: Liveness probe failed: Get "http://${ip('refused')}:8080/healthz": dial tcp ${ip('refused')}:8080: connect: connection refused`,
  ]);
  expect(lab.status('refused')['containerStatuses'][0].lastState.terminated).toMatchObject({reason: 'Error', exitCode: 137});
  expect(warnings(lab, 'exec')).toEqual([
    "Warning Unhealthy: Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n",
  ]);
  expect(warnings(lab, 'tcp')[0]).toBe(
    `Warning Unhealthy: Liveness probe failed: dial tcp ${ip('tcp')}:9000: connect: connection refused`,
  );
  expect(warnings(lab, 'missing')[0]).toMatch(
    /^Warning Unhealthy: Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/check-health": stat \/bin\/check-health: no such file or directory$/,
  );
  expect(lab.status('missing')['containerStatuses'][0].restartCount).toBe(0);
});

test('readiness follows its probe without a restart', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('gate', {
    containers: [
      {
        name: 'main',
        image: busybox,
        command: ['sleep', '3600'],
        readinessProbe: {exec: {command: ['cat', '/tmp/ready']}, periodSeconds: 1, failureThreshold: 2},
      },
    ],
  });
  await lab.run(5000);
  const shown = () => lab.status('gate')['containerStatuses'][0];
  expect(shown()).toMatchObject({started: true, ready: false, restartCount: 0});
  expect(lab.status('gate')['conditions'].find((each: any) => each.type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'containers with unready status: [main]',
  });
  const exec = (command: string[]) =>
    lab.ask({
      method: 'POST',
      path: '/exec/default/gate/main',
      body: {command, stdin: false, stdout: true, stderr: true, tty: false},
    });
  await exec(['touch', '/tmp/ready']);
  await lab.run(2500);
  expect(shown().ready).toBe(true);
  await exec(['rm', '/tmp/ready']);
  await lab.run(4000);
  expect(shown()).toMatchObject({ready: false, restartCount: 0});
});

test('a startup probe holds the others back', async () => {
  const program = {startSeconds: 4, listen: [80], http: {'/': 200}};
  const lab = await NodeLab.ready({images: [{image: 'registry.local/slow:1', size: '1Mi', program}]});
  const action = {httpGet: {path: '/', port: 'http'}};
  lab.pod('slow', {
    containers: [
      {
        name: 'main',
        image: 'registry.local/slow:1',
        ports: [{name: 'http', containerPort: 80}],
        startupProbe: {...action, periodSeconds: 1, failureThreshold: 30},
        livenessProbe: {...action, periodSeconds: 1, failureThreshold: 1},
      },
    ],
  });
  await lab.run(4000);
  expect(lab.status('slow')['containerStatuses'][0]).toMatchObject({started: false, ready: false});
  await lab.run(5000);
  expect(lab.status('slow')['containerStatuses'][0]).toMatchObject({started: true, ready: true, restartCount: 0});
});

test('logs: the last lines, times, the previous container, and as they come', async () => {
  const log = ['one', 'two', {line: 'late', after: 5}, {line: 'later', after: 6}];
  const lab = await NodeLab.ready({
    programs: PROGRAMS,
    images: [{image: 'registry.local/talk:1', size: '1Mi', program: {log, exitCode: 3, exitAfterSeconds: 7}}],
  });
  lab.pod('talk', {containers: [{name: 'main', image: 'registry.local/talk:1'}]});
  await lab.run(4000);
  const logs = (query: Record<string, string> = {}) => lab.ask({method: 'GET', path: '/containerLogs/default/talk/main', query});
  expect((await logs()).answer?.body).toBe('one\ntwo\n');
  expect((await logs({tailLines: '1'})).answer?.body).toBe('two\n');
  expect((await logs({limitBytes: '5'})).answer?.body).toBe('one\nt');
  expect((await logs({timestamps: 'true', tailLines: '1'})).answer?.body).toMatch(/^2026-11-30T07:00:02\.\d{9}Z two\n$/);
  expect((await logs({previous: 'true'})).answer).toMatchObject({
    status: 400,
    body: 'previous terminated container "main" in pod "talk" not found',
  });
  const followed = await logs({follow: 'true'});
  await lab.run(6000);
  expect([followed.answer?.body, followed.frames, followed.end]).toEqual(['one\ntwo\n', ['late\n', 'later\n'], 'end']);
  await lab.run(1000);
  expect((await logs({previous: 'true'})).answer?.body).toBe('one\ntwo\nlate\nlater\n');
});

test('logs of a container that waits say what for', async () => {
  const lab = await NodeLab.ready();
  lab.pod('tag', {containers: [{name: 'web', image: 'nginx:1.27-nope'}]});
  lab.pod('nocm', {containers: [{name: 'web', image: 'nginx:1.27'}], volumes: [{name: 'cfg', configMap: {name: 'app'}}]});
  await lab.run(17_000);
  const logs = async (pod: string) => (await lab.ask({method: 'GET', path: `/containerLogs/default/${pod}/web`})).answer?.body;
  expect(await logs('tag')).toBe('container "web" in pod "tag" is waiting to start: trying and failing to pull image');
  expect(await logs('nocm')).toBe('container "web" in pod "nocm" is waiting to start: ContainerCreating');
});

test('commands: output, exit code, input, and what cannot be run', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('two', {
    containers: [
      {name: 'side', image: busybox, command: ['sleep', '3600']},
      {name: 'pause', image: 'registry.k8s.io/pause:3.10'},
    ],
  });
  await lab.run(4000);
  const exec = (command: string[], container = 'side') =>
    lab.ask({
      method: 'POST',
      path: `/exec/default/two/${container}`,
      body: {command, stdin: false, stdout: true, stderr: true, tty: false},
    });
  const said = await exec(['fail', '3', '0', 'oops']);
  expect(said.frames).toEqual([
    {channel: 2, data: 'oops\n'},
    {
      channel: 3,
      data: expect.objectContaining({
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: {causes: [{reason: 'ExitCode', message: '3'}]},
      }),
    },
  ]);
  expect((await exec(['echo', 'hi'])).frames).toEqual([
    {channel: 1, data: 'hi\n'},
    {channel: 3, data: {metadata: {}, status: 'Success'}},
  ]);
  const message = (frames: unknown[]) => (frames[0] as {data: {message: string}}).data.message;
  expect(message((await exec(['bash'])).frames)).toMatch(
    /^Internal error occurred: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "bash": executable file not found in \$PATH$/,
  );
  expect(message((await exec(['sh'], 'pause')).frames)).toContain('exec: "sh": executable file not found in $PATH');
  expect((await exec(['true'], 'nope')).answer).toMatchObject({status: 404, body: 'container not found ("nope")'});
});

test('typed input reaches a command', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.pod('one', {containers: [{name: 'main', image: busybox, command: ['sleep', '3600']}]});
  await lab.run(4000);
  const certificate = {commonName: 'x', organizations: ['system:masters'], authority: 'ca', notBefore: 0, notAfter: Infinity};
  const frames: unknown[] = [];
  const body = {command: ['cat'], stdin: true, stdout: true, stderr: true, tty: false};
  const caller = lab.network.call(
    '10.0.0.10',
    '10.0.0.21',
    10250,
    {method: 'POST', path: '/exec/default/one/main', body, certificate},
    {answer: () => undefined, frame: frame => frames.push(frame)},
  );
  caller.send({channel: 0, data: 'typed\n'});
  caller.send({channel: 0, data: null});
  await lab.run(100);
  expect(frames).toEqual([
    {channel: 1, data: 'typed\n'},
    {channel: 3, data: {metadata: {}, status: 'Success'}},
  ]);
});

test('what a container knows of itself', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.api.put({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'my-db', namespace: 'default'},
    spec: {
      clusterIP: '10.96.7.7',
      ports: [
        {name: 'sql', port: 5432, protocol: 'TCP'},
        {name: 'web', port: 80, protocol: 'TCP'},
      ],
    },
  });
  const field = (name: string, fieldPath: string) => ({name, valueFrom: {fieldRef: {fieldPath}}});
  const amount = (name: string, resource: string, divisor?: string) => ({
    name,
    valueFrom: {resourceFieldRef: {resource, ...(divisor ? {divisor} : {})}},
  });
  lab.pod(
    'me',
    {
      serviceAccountName: 'default',
      containers: [
        {
          name: 'main',
          image: busybox,
          command: ['sleep', '3600'],
          resources: {requests: {cpu: '250m', memory: '32Mi'}, limits: {cpu: '1500m', memory: '64Mi'}},
          env: [
            field('NAME', 'metadata.name'),
            field('NODE', 'spec.nodeName'),
            field('IP', 'status.podIP'),
            field('APP', "metadata.labels['app']"),
            amount('CPU', 'limits.cpu'),
            amount('CPU_M', 'requests.cpu', '1m'),
            amount('MEM_MI', 'limits.memory', '1Mi'),
            {name: 'ALL', value: '$(NAME) on $(NODE), $$(NAME), $(MISSING)'},
          ],
          volumeMounts: [
            {name: 'info', mountPath: '/info'},
            {name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true},
          ],
        },
      ],
      volumes: [
        {name: 'info', downwardAPI: {items: [{path: 'labels', fieldRef: {fieldPath: 'metadata.labels'}}]}},
        {
          name: 'token',
          projected: {
            sources: [
              {serviceAccountToken: {path: 'token', expirationSeconds: 3607}},
              {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
              {downwardAPI: {items: [{path: 'namespace', fieldRef: {fieldPath: 'metadata.namespace'}}]}},
            ],
          },
        },
      ],
    },
    {labels: {app: 'me', tier: 'back'}},
  );
  await lab.run(4000);
  const out = async (...command: string[]) => {
    const heard = await lab.ask({
      method: 'POST',
      path: '/exec/default/me/main',
      body: {command, stdin: false, stdout: true, stderr: true, tty: false},
    });
    return heard.frames
      .filter((frame: any) => frame.channel < 3)
      .map((frame: any) => frame.data)
      .join('');
  };
  const env = new Map((await out('env')).split('\n').map(line => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  expect(Object.fromEntries(env)).toMatchObject({
    NAME: 'me',
    NODE: 'node-1',
    IP: '10.244.0.2',
    APP: 'me',
    CPU: '2',
    CPU_M: '250',
    MEM_MI: '64',
    ALL: 'me on node-1, $(NAME), $(MISSING)',
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
    MY_DB_SERVICE_PORT_SQL: '5432',
    MY_DB_PORT: 'tcp://10.96.7.7:5432',
    MY_DB_PORT_80_TCP_ADDR: '10.96.7.7',
  });
  expect(await out('cat', '/info/labels')).toBe('app="me"\ntier="back"');
  expect(await out('cat', '/var/run/secrets/kubernetes.io/serviceaccount/namespace')).toBe('default');
  expect(await out('cat', '/var/run/secrets/kubernetes.io/serviceaccount/token')).toBe('eyJtoken');
  expect(await out('cat', '/etc/resolv.conf')).toBe(
    'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
  );
  expect(await out('touch', '/info/x')).toBe('touch: /info/x: EROFS\n');
});

test('mounted ConfigMaps follow a change within a minute and a half', async () => {
  const lab = await NodeLab.ready({programs: PROGRAMS});
  lab.api.put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'app', namespace: 'default'},
    data: {'a.conf': 'one', 'b.conf': 'keep'},
  });
  lab.pod('web', {
    containers: [
      {name: 'main', image: busybox, command: ['sleep', '3600'], volumeMounts: [{name: 'cfg', mountPath: '/etc/app'}]},
    ],
    volumes: [{name: 'cfg', configMap: {name: 'app'}}],
  });
  await lab.run(4000);
  const cat = async (path: string) =>
    (
      await lab.ask({
        method: 'POST',
        path: '/exec/default/web/main',
        body: {command: ['cat', path], stdin: false, stdout: true, stderr: true, tty: false},
      })
    ).frames[0];
  expect(await cat('/etc/app/a.conf')).toEqual({channel: 1, data: 'one'});
  lab.api.put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'app', namespace: 'default'},
    data: {'a.conf': 'two', 'c.conf': 'new'},
  });
  await lab.run(95_000);
  expect(await cat('/etc/app/a.conf')).toEqual({channel: 1, data: 'two'});
  expect(await cat('/etc/app/b.conf')).toMatchObject({channel: 2});
});

test('a component in a container has the network of its pod and its token', async () => {
  const heard: string[] = [];
  const lab = await NodeLab.ready({
    components: {
      'registry.k8s.io/coredns/coredns': ({daemon, files, pod, argv}) => {
        daemon.print(`CoreDNS ${argv.join(' ')} in ${pod.namespace}/${pod.name}`);
        heard.push(files().read('/var/run/secrets/kubernetes.io/serviceaccount/token') ?? 'no token');
        daemon.listen(53, call => call.answer({status: 200, body: 'answer'}));
      },
    },
  });
  lab.pod('dns', {
    containers: [
      {
        name: 'coredns',
        image: 'registry.k8s.io/coredns/coredns:v1.13.1',
        args: ['-conf', '/etc/coredns/Corefile'],
        volumeMounts: [{name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true}],
      },
    ],
    volumes: [{name: 'token', projected: {sources: [{serviceAccountToken: {path: 'token'}}]}}],
  });
  await lab.run(4000);
  expect(heard).toEqual(['eyJtoken']);
  expect(await lab.get('10.244.0.2', 53, '/')).toMatchObject({body: 'answer'});
  expect((await lab.ask({method: 'GET', path: '/containerLogs/default/dns/coredns'})).answer?.body).toBe(
    'CoreDNS /coredns -conf /etc/coredns/Corefile in default/dns\n',
  );
});

test('the pod network: no plugin, no address left, no configuration', async () => {
  const lab = await NodeLab.ready();
  lab.files.rename('/opt/cni/bin/bridge', '/opt/cni/bin/bridge.off');
  lab.pod('web', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  await lab.run(1000);
  expect(warnings(lab, 'web')[0]).toMatch(
    /^Warning FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "[0-9a-f]{64}": plugin type="bridge" failed \(add\): failed to find plugin "bridge" in path \[\/opt\/cni\/bin\]$/,
  );
  lab.files.rename('/opt/cni/bin/bridge.off', '/opt/cni/bin/bridge');
  for (let n = 2; n < 255; n++) lab.files.write(`/var/lib/cni/networks/simnet/10.244.0.${n}`, 'stale');
  await lab.run(16_000);
  expect(warnings(lab, 'web')[1]).toContain(
    'plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.0.1-10.244.0.254',
  );
  lab.files.remove('/var/lib/cni/networks/simnet', true);
  lab.files.rename('/etc/cni/net.d/10-simnet.conflist', '/etc/cni/10-simnet.off');
  await lab.run(20_000);
  const ready = () => lab.api.get('Node', 'node-1')?.['status'].conditions.find((each: any) => each.type === 'Ready');
  expect(ready()).toMatchObject({
    status: 'False',
    message:
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  });
  lab.pod('pinned', {containers: [{name: 'nginx', image: 'nginx:1.27'}]});
  lab.pod('host', {hostNetwork: true, containers: [{name: 'pause', image: 'registry.k8s.io/pause:3.10'}]});
  await lab.run(2000);
  expect(lab.events('pinned')[0]).toBe(
    'Warning NetworkNotReady: network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  );
  expect(lab.status('host')).toMatchObject({phase: 'Running', podIP: '10.0.0.21'});
  lab.files.rename('/etc/cni/10-simnet.off', '/etc/cni/net.d/10-simnet.conflist');
  await lab.run(16_000);
  expect(ready()).toMatchObject({status: 'True'});
  expect(lab.status('pinned')['phase']).toBe('Running');
  expect(lab.status('web')['phase']).toBe('Running');
});

test('what containers use', async () => {
  const lab = await NodeLab.ready({
    images: [
      {
        image: 'registry.local/web:1.4',
        size: '40Mi',
        program: {startSeconds: 2, listen: [8080], http: {'/': 200}, cpu: '80m', memory: '380Mi'},
      },
    ],
  });
  lab.pod('web', {containers: [{name: 'web', image: 'registry.local/web:1.4', resources: {limits: {cpu: '50m'}}}]});
  await lab.run(13_000);
  const summary = (await lab.ask({method: 'GET', path: '/stats/summary'})).answer?.body as any;
  expect(summary.pods).toHaveLength(1);
  expect(summary.pods[0].containers[0]).toMatchObject({
    name: 'web',
    cpu: {usageNanoCores: 50_000_000},
    memory: {workingSetBytes: 380 * 1024 * 1024},
  });
});
