// port-forward and proxy of the real kubectl at `crashloop serve`.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {oracle} from './oracle.ts';
import {Server} from './server.ts';

const tools = oracle();
const server = new Server(tools);

/** Forwards a port while a line is typed; `kubectl` says first which port it took. What an earlier one said must not be read for it. */
function forwarding(what: string, line: string, before = '') {
  return server.type(
    `rm -f said; ${before} kubectl port-forward --address 127.0.0.1 ${what} > said 2> told & p=$!
     for i in $(seq 100); do port=$(sed -n 's/^Forwarding from 127.0.0.1:\\([0-9]*\\) .*/\\1/p' said 2>/dev/null); [ -n "$port" ] && break; sleep 0.1; done
     ${line}; sleep 0.3; kill $p 2>/dev/null; wait $p 2>/dev/null; cat told`,
  );
}

describe.skipIf(tools === undefined)('streams at serve', () => {
  beforeAll(async () => {
    await server.start();
    server.type('kubectl run web --image=nginx:1.27 --port=80 --expose');
    expect(server.type('kubectl wait --for=condition=Ready pod --all --timeout=50s').code).toBe(0);
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('a port of a pod and of a Service is forwarded, for many requests', () => {
    const page =
      'curl -s -m 5 http://127.0.0.1:$port/ | grep title; curl -s -m 5 -o /dev/null -w "%{http_code}" http://127.0.0.1:$port/nope';
    expect(forwarding('pod/web :80', page).out).toBe('<title>Welcome to nginx!</title>\n404');
    expect(forwarding('svc/web :80', page).out).toBe('<title>Welcome to nginx!</title>\n404');
    const many = 'seq 20 | xargs -P 8 -I{} curl -s -m 9 -o /dev/null -w "%{http_code} " http://127.0.0.1:$port/{}';
    expect(forwarding('pod/web :80', many).out).toBe('404 '.repeat(20));
  });

  test('behind a port that nobody listens on there is an error, with the reason', () => {
    const {out} = forwarding('pod/web :81', 'curl -s -m 5 http://127.0.0.1:$port/; echo $?');
    expect(out).toMatch(/^52\n/);
    expect(out).toMatch(/error forwarding port 81 to pod [0-9a-f]{64}, uid : failed to execute portforward in network namespace/);
    expect(out).toContain('error: lost connection to pod');
  });

  test('who may not, may not', () => {
    expect(server.type('kubectl port-forward pod/web :80 --as=nina').err).toContain(
      'pods "web" is forbidden: User "nina" cannot get resource "pods"',
    );
    server.type(
      'kubectl create role reader --verb=get --resource=pods && kubectl create rolebinding reader --role=reader --user=nina',
    );
    expect(server.type('kubectl port-forward pod/web :80 --as=nina').err).toContain(
      'error: error upgrading connection: pods "web" is forbidden: User "nina" cannot create resource "pods/portforward"',
    );
  });

  test('pods and Services are reached by the proxy', () => {
    for (const place of ['pods/web:80', 'services/web:80', 'services/web'])
      expect(server.type(`kubectl get --raw /api/v1/namespaces/default/${place}/proxy/ | grep title`).out).toContain('nginx!');
  });

  test('over SPDY it is the same', () => {
    const spdy = 'KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false KUBECTL_PORT_FORWARD_WEBSOCKETS=false';
    expect(server.type(`${spdy} kubectl exec web -- echo hello there`).out).toBe('hello there\n');
    expect(server.type(`${spdy} kubectl exec -i web -- cat`, 'from outside\n').out).toBe('from outside\n');
    const failed = server.type(`${spdy} kubectl exec web -- sh -c 'echo bad >&2; exit 3'`);
    expect(failed).toEqual({out: '', err: 'bad\ncommand terminated with exit code 3\n', code: 3});
    const port = forwarding('pod/web :80', 'curl -s -m 5 http://127.0.0.1:$port/ | grep title', `export ${spdy};`);
    expect(port.out).toBe('<title>Welcome to nginx!</title>\n');
  });

  test('any bytes go into a container and come back', () => {
    const copied =
      'head -c 5001 /dev/urandom > bytes; kubectl cp bytes web:/tmp/bytes; kubectl cp web:/tmp/bytes back >/dev/null 2>&1; cmp bytes back && echo same';
    const spdy = 'export KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false;';
    for (const way of ['', spdy]) {
      expect(server.type(`${way} ${copied}`)).toMatchObject({out: 'same\n', code: 0});
      const counted = server.type(
        `${way} printf 'a\\303' | kubectl exec -i web -- wc -c; kubectl exec web -- sha256sum /tmp/bytes | cut -c1-64; sha256sum bytes | cut -c1-64`,
      );
      const [bytes, inside, outside] = counted.out.split('\n');
      expect(bytes).toBe('2');
      expect(inside).toBe(outside);
    }
  });

  test('what the server refuses is told', () => {
    server.file(
      'far.yaml',
      `apiVersion: v1
kind: Pod
metadata: {name: far}
spec: {nodeSelector: {disk: none}, containers: [{name: a, image: "nginx:1.27"}]}`,
    );
    server.type('kubectl apply -f far.yaml');
    expect(server.type('kubectl exec far -- true').err).toBe(
      'Error from server (BadRequest): pod far does not have a host assigned\n',
    );
  });
});
