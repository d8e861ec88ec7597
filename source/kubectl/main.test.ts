import {expect, test} from 'vitest';
import {Bench} from './testing/bench.ts';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: nginx, image: "nginx:1.27"}]
`;

test('apply creates, leaves alone, changes', async () => {
  const bench = new Bench();
  bench.files.place('/root/web.yaml', WEB);
  expect(await bench.run('apply -f web.yaml')).toEqual({out: 'deployment.apps/web created\n', err: '', code: 0});
  expect(await bench.run('apply -f web.yaml')).toEqual({out: 'deployment.apps/web unchanged\n', err: '', code: 0});
  bench.files.place('/root/web.yaml', WEB.replace('1.27', '1.28'));
  expect(await bench.run('apply -f web.yaml')).toEqual({out: 'deployment.apps/web configured\n', err: '', code: 0});
  expect(bench.api.bodies.at(-1)).toMatchObject({spec: {template: {spec: {containers: [{name: 'nginx', image: 'nginx:1.28'}]}}}});
  expect((await bench.run(['get', 'deploy', 'web', '-o', 'jsonpath={.metadata.annotations}'])).out).toContain(
    '"annotations\\":{}',
  );
});

test('get shows tables, names, and what is missing', async () => {
  const bench = new Bench();
  bench.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'one', labels: {app: 'shop'}}, data: {a: 'b'}});
  bench.api.put({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'one', labels: {app: 'shop'}}});
  expect(await bench.run('get cm one two --show-labels')).toEqual({
    out: 'NAME   AGE   LABELS\none    0s    app=shop\n',
    err: 'Error from server (NotFound): configmaps "two" not found\n',
    code: 1,
  });
  expect((await bench.run('get cm,secret -l app=shop')).out).toBe(
    'NAME            AGE\nconfigmap/one   30s\n\nNAME         AGE\nsecret/one   30s\n',
  );
  expect((await bench.run('get cm/one secret/one -o name')).out).toBe('configmap/one\nsecret/one\n');
  expect(await bench.run('get pods')).toEqual({out: '', err: 'No resources found in default namespace.\n', code: 0});
});

test('a watch prints what is there and then each change, aligned with the widest so far', async () => {
  const bench = new Bench();
  bench.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'seen'}});
  const ran = await bench.run('get cm -w --output-watch-events', {
    forMs: 5000,
    meanwhile: () => {
      bench.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'later-and-longer'}});
      bench.api.drop('ConfigMap', 'seen');
    },
  });
  expect(ran).toEqual({
    out: 'EVENT      NAME   AGE\nADDED      seen   0s\nADDED      later-and-longer   0s\nDELETED    seen               0s\n',
    err: '',
    code: undefined,
  });
});

test('delete waits until the object is gone', async () => {
  const bench = new Bench();
  bench.api.put({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'one'}});
  expect(await bench.run('delete cm one two')).toEqual({
    out: 'configmap "one" deleted from default namespace\n',
    err: 'Error from server (NotFound): configmaps "two" not found\n',
    code: 1,
  });
});

test('scale patches the scale', async () => {
  const bench = new Bench();
  bench.api.put({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'web'}, spec: {replicas: 1}});
  expect(await bench.run('scale deploy web --replicas=3')).toEqual({out: 'deployment.apps/web scaled\n', err: '', code: 0});
  expect((await bench.run(['get', 'deploy/web', '-o', 'jsonpath={.spec.replicas}'])).out).toBe('3');
});

test('a server that is down is named, five times in the log when nothing is known of it', async () => {
  const bench = new Bench();
  bench.api.isUp = false;
  const {err, code} = await bench.run('get pods');
  const lines = err.trimEnd().split('\n');
  expect(code).toBe(1);
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(
    /^E1130 04:40:00\.\d{6} +\d+ memcache\.go:265\] "Unhandled Error" err="couldn't get current server API group list: Get \\"https:\/\/10\.0\.0\.10:6443\/api\?timeout=32s\\": dial tcp 10\.0\.0\.10:6443: connect: connection refused"$/,
  );
  expect(lines[5]).toBe('The connection to the server 10.0.0.10:6443 was refused - did you specify the right host or port?');
});

test('what is not done yet is refused, what does not exist gets the words of the real one', async () => {
  const bench = new Bench();
  expect(await bench.run('alpha kuberc view')).toEqual({
    out: '',
    err: 'error: this kubectl does not do "kubectl alpha kuberc view" yet\n',
    code: 1,
  });
  expect((await bench.run('get pods --foo')).err).toBe("error: unknown flag: --foo\nSee 'kubectl get --help' for usage.\n");
  expect((await bench.run('gte pods')).err).toBe('error: unknown command "gte" for "kubectl"\n\nDid you mean this?\n\tget\n');
});
