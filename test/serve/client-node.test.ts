// The clients of Kubernetes' own library for Node at `crashloop serve`: typed and untyped calls, informers, watches, streams.
import {PassThrough, type Readable} from 'node:stream';
import type * as Library from '@kubernetes/client-node';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {Server} from './server.ts';

/** The library, or nothing where it is not installed. */
async function load(): Promise<typeof Library | undefined> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    if ((error as {code?: string}).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.log('@kubernetes/client-node is not installed: tests with it are skipped');
    return undefined;
  }
}

/** Its history begins when it is made. */
const PARCELS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'parcels.post.example.com'},
  spec: {
    group: 'post.example.com',
    scope: 'Cluster',
    names: {plural: 'parcels', kind: 'Parcel'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
};

const k8s = await load();
const namespace = 'default';
const server = new Server();

/** Waits until something holds: a watch tells of it in its own time. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 400) throw new Error('it does not come to hold');
    await new Promise(done => setTimeout(done, 20));
  }
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.on('data', part => (text += String(part)));
  return () => text;
}

describe.skipIf(k8s === undefined)('client-node', () => {
  if (!k8s) return;
  const config = new k8s.KubeConfig();
  const core = () => config.makeApiClient(k8s.CoreV1Api);
  const map = (name: string, data: Record<string, string> = {a: '1'}, labels: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace, labels},
    data,
  });

  beforeAll(async () => {
    // The metrics server takes a minute before it knows something.
    await server.start('--speed', '10');
    config.loadFromFile(server.kubeconfig);
    const pod = {
      metadata: {name: 'web', labels: {app: 'web'}},
      spec: {containers: [{name: 'web', image: 'nginx:1.27', ports: [{containerPort: 80}]}]},
    };
    await core().createNamespacedPod({namespace, body: pod});
    for (let tries = 0; tries < 200; tries++) {
      const {status} = await core().readNamespacedPod({namespace, name: 'web'});
      if (status?.conditions?.some(({type, status: is}) => type === 'Ready' && is === 'True')) return;
      await new Promise(done => setTimeout(done, 100));
    }
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('objects have the library’s types, dates and all', async () => {
    const {items} = await core().listNode();
    expect(items.map(({metadata}) => metadata?.name)).toEqual(['cp-1', 'node-1', 'node-2', 'node-3']);
    expect(items[0]?.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const {gitVersion} = await config.makeApiClient(k8s.VersionApi).getCode();
    expect(gitVersion).toBe('v1.35.4');
  });

  test('an object is made, read, replaced and deleted; a stale one is a conflict', async () => {
    const made = await core().createNamespacedConfigMap({namespace, body: map('one')});
    const changed = await core().replaceNamespacedConfigMap({namespace, name: 'one', body: {...made, data: {a: '2'}}});
    expect(changed.data).toEqual({a: '2'});
    const stale = core().replaceNamespacedConfigMap({namespace, name: 'one', body: {...made, data: {a: '3'}}});
    await expect(stale).rejects.toMatchObject({code: 409});
    await core().deleteNamespacedConfigMap({namespace, name: 'one'});
    await expect(core().readNamespacedConfigMap({namespace, name: 'one'})).rejects.toMatchObject({code: 404});
  });

  test('patches of all four kinds', async () => {
    await core().createNamespacedConfigMap({namespace, body: map('patched')});
    const patch = async (body: unknown, strategy: Library.PatchStrategy, more = {}) =>
      (
        await core().patchNamespacedConfigMap(
          {namespace, name: 'patched', body, ...more},
          k8s.setHeaderOptions('Content-Type', strategy),
        )
      ).data;
    const {JsonPatch, MergePatch, StrategicMergePatch, ServerSideApply} = k8s.PatchStrategy;
    expect(await patch([{op: 'add', path: '/data/b', value: '2'}], JsonPatch)).toEqual({a: '1', b: '2'});
    expect(await patch({data: {a: null, c: '3'}}, MergePatch)).toEqual({b: '2', c: '3'});
    expect(await patch({data: {d: '4'}}, StrategicMergePatch)).toEqual({b: '2', c: '3', d: '4'});
    const apply = {apiVersion: 'v1', kind: 'ConfigMap', data: {c: '5'}};
    await expect(patch(apply, ServerSideApply, {fieldManager: 'library'})).rejects.toMatchObject({code: 409});
    expect(await patch(apply, ServerSideApply, {fieldManager: 'library', force: true})).toMatchObject({c: '5'});
  });

  test('kinds that the library does not know go by discovery', async () => {
    const objects = k8s.KubernetesObjectApi.makeApiClient(config);
    await objects.create(map('untyped'));
    const shown = await objects.patch(
      map('untyped', {z: '9'}),
      undefined,
      undefined,
      'library',
      true,
      k8s.PatchStrategy.ServerSideApply,
    );
    expect(shown).toMatchObject({data: {a: '1', z: '9'}});
    expect(
      (await objects.list('v1', 'ConfigMap', namespace, undefined, undefined, undefined, 'metadata.name=untyped')).items,
    ).toHaveLength(1);
    expect(await objects.delete(map('untyped'))).toMatchObject({status: 'Success'});
  });

  test('an informer hears of what is there, what comes, changes and goes, and starts again where its watch was cut', async () => {
    const list = () => core().listNamespacedConfigMap({namespace, labelSelector: 'of=informer'});
    await core().createNamespacedConfigMap({namespace, body: map('first', {}, {of: 'informer'})});
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const informer = k8s.makeInformer(config, path, list, 'of=informer');
    const heard: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, object => heard.push(`${verb} ${object.metadata?.name}`));
    await informer.start();
    await until(() => heard.length === 1);
    await core().createNamespacedConfigMap({namespace, body: map('second', {}, {of: 'informer'})});
    await until(() => heard.length === 2);
    await core().patchNamespacedConfigMap(
      {namespace, name: 'second', body: {data: {x: '1'}}},
      k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
    );
    // What does not belong to the selection any more is gone.
    await core().patchNamespacedConfigMap(
      {namespace, name: 'first', body: {metadata: {labels: {of: 'nobody'}}}},
      k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
    );
    await core().deleteNamespacedConfigMap({namespace, name: 'second'});
    await until(() => heard.length === 5);
    expect(heard).toEqual(['add first', 'add second', 'update second', 'delete first', 'delete second']);
    await informer.stop();
    await core().createNamespacedConfigMap({namespace, body: map('third', {}, {of: 'informer'})});
    await informer.start();
    await until(() => heard.length === 6);
    expect(informer.get('third', namespace)?.metadata?.name).toBe('third');
    await informer.stop();
  });

  test('a watch from a revision that is gone is told so, and a watch may begin with all that is there', async () => {
    const watch = new k8s.Watch(config);
    const seen: string[] = [];
    let path = `/api/v1/namespaces/${namespace}/configmaps`;
    const run = async (query: Record<string, string | number | boolean>, isOver: () => boolean): Promise<unknown> => {
      let ended: unknown = 'open';
      const controller = await watch.watch(
        path,
        query,
        (phase: string, object: {kind?: string; code?: number; metadata?: {annotations?: Record<string, string>}}) =>
          seen.push(
            `${phase} ${object.kind} ${object.code ?? object.metadata?.annotations?.['k8s.io/initial-events-end'] ?? ''}`,
          ),
        error => (ended = error),
      );
      await until(() => isOver() || ended !== 'open');
      controller.abort();
      return ended;
    };
    const query = {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      fieldSelector: 'metadata.name=kube-root-ca.crt',
    };
    await run(query, () => seen.length >= 2);
    expect(seen).toEqual(['ADDED ConfigMap ', 'BOOKMARK ConfigMap true']);
    seen.length = 0;
    // It ends when it said that it would.
    expect(await run({timeoutSeconds: 1, resourceVersion: '0', fieldSelector: 'metadata.name=nobody'}, () => false)).toBeNull();
    expect(seen).toEqual([]);
    expect(await run({fieldSelector: 'spec.nope=1'}, () => false)).toMatchObject({statusCode: 400});
    await config.makeApiClient(k8s.ApiextensionsV1Api).createCustomResourceDefinition({body: PARCELS});
    path = '/apis/post.example.com/v1/parcels';
    for (let tries = 0; tries < 100 && (await server.ask(path)).status !== 200; tries++)
      await new Promise(done => setTimeout(done, 50));
    await run({resourceVersion: '1'}, () => false);
    expect(seen).toEqual(['ERROR Status 410']);
  });

  test('a command runs in a container: its output, its errors, its input, its exit code', async () => {
    const run = async (command: readonly string[], input?: string) => {
      const [out, err] = [new PassThrough(), new PassThrough()];
      const [outText, errText] = [textOf(out), textOf(err)];
      let stdin: PassThrough | null = null;
      if (input !== undefined) stdin = new PassThrough();
      let ended: Library.V1Status | undefined;
      await new k8s.Exec(config).exec(namespace, 'web', 'web', [...command], out, err, stdin, false, status => (ended = status));
      stdin?.end(input);
      await until(() => ended !== undefined);
      return {out: outText(), err: errText(), status: ended?.status, causes: ended?.details?.causes};
    };
    expect(await run(['echo', 'hello there'])).toEqual({out: 'hello there\n', err: '', status: 'Success', causes: undefined});
    expect(await run(['cat'], 'from outside\n')).toMatchObject({out: 'from outside\n', status: 'Success'});
    expect(await run(['sh', '-c', 'echo bad >&2; exit 3'])).toEqual({
      out: '',
      err: 'bad\n',
      status: 'Failure',
      causes: [{reason: 'ExitCode', message: '3'}],
    });
    await expect(new k8s.Exec(config).exec(namespace, 'nobody', 'web', ['true'], null, null, null, false)).rejects.toMatchObject({
      message: 'Unexpected server response: 404',
    });
  });

  test('a port is forwarded, and what is served there is in the log, also of one who follows it', async () => {
    const followed = new PassThrough();
    const log = textOf(followed);
    await new k8s.Log(config).log(namespace, 'web', 'web', followed, {follow: true});
    const [out, err, input] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const page = textOf(out);
    const socket = (await new k8s.PortForward(config).portForward(namespace, 'web', [80], out, err, input)) as {close(): void};
    input.write('GET /looked-for HTTP/1.1\r\nHost: web\r\nUser-Agent: library\r\n\r\n');
    await until(() => page().includes('</html>'));
    expect(page()).toMatch(/^HTTP\/1\.1 404 /);
    await until(() => log().includes('GET /looked-for'));
    socket.close();
  });

  test('nodes and pods tell what they use', async () => {
    const metrics = new k8s.Metrics(config);
    let items: readonly Library.NodeMetric[] = [];
    for (let tries = 0; items.length < 4 && tries < 100; tries++) {
      ({items} = await metrics.getNodeMetrics().catch(() => ({items: []})));
      await new Promise(done => setTimeout(done, 100));
    }
    expect(items.map(({metadata}) => metadata.name)).toEqual(['cp-1', 'node-1', 'node-2', 'node-3']);
    expect(items[0]?.usage.cpu).toMatch(/^\d+[nm]$/);
  });
});
