// The real kubectl and helm at `crashloop serve`.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {oracle} from './oracle.ts';
import {Server} from './server.ts';

const tools = oracle();
const server = new Server(tools);

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1.27"}]}
`;

describe.skipIf(tools === undefined)('kubectl at serve', () => {
  beforeAll(async () => {
    await server.start();
    server.file('web.yaml', WEB);
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('it knows the server and its nodes', () => {
    expect(server.type('kubectl version').out).toContain('Server Version: v1.35.4');
    expect(server.type('kubectl get nodes -o name').out).toBe('node/cp-1\nnode/node-1\nnode/node-2\nnode/node-3\n');
    expect(server.type('kubectl auth whoami').out).toMatch(/Username +kubernetes-admin/);
  });

  test('an apply is created, rolled out, unchanged, scaled', () => {
    expect(server.type('kubectl apply -f web.yaml')).toEqual({out: 'deployment.apps/web created\n', err: '', code: 0});
    expect(server.type('kubectl rollout status deploy/web --timeout=50s').out).toContain('successfully rolled out');
    expect(server.type('kubectl apply -f web.yaml').out).toBe('deployment.apps/web unchanged\n');
    expect(server.type('kubectl scale deploy/web --replicas=3').out).toBe('deployment.apps/web scaled\n');
    expect(server.type('kubectl rollout status deploy/web --timeout=50s').code).toBe(0);
    expect(server.type('kubectl get deploy web').out).toMatch(/web +3\/3 +3 +3/);
  });

  test('the scale is a thing of its own', () => {
    expect(server.type('kubectl get deploy web --subresource=scale').out).toMatch(/^NAME +DESIRED +AVAILABLE +AGE\nweb +3 +3 +/);
    const asked = server.type(
      `kubectl patch deploy web --subresource=scale --type=merge -p '{"spec":{"replicas":4}}' --dry-run=server`,
    );
    expect(asked.out).toBe('scale.autoscaling/web patched\n');
  });

  test('a comma is part of the name of a group', () => {
    const groups = ',,,crew a,b system:masters'.split(' ');
    const words = groups.map(group => `--as-group=${group}`).join(' ');
    const {out} = server.type(`kubectl auth whoami --as=nina ${words} -o jsonpath='{.status.userInfo.groups}'`);
    expect(JSON.parse(out)).toEqual([...groups, 'system:authenticated']);
  });

  test('a container is looked into', () => {
    expect(server.type('kubectl exec deploy/web -- wget -qO- localhost').out).toContain('Welcome to nginx!');
    expect(server.type('kubectl logs deploy/web').out).toContain('"GET / HTTP/1.1" 200');
    expect(server.type('kubectl exec deploy/web -- echo hello there').out).toBe('hello there\n');
    const failed = server.type(`kubectl exec deploy/web -- sh -c 'echo bad >&2; exit 3'`);
    expect(failed.code).toBe(3);
    expect(failed.err).toContain('bad\ncommand terminated with exit code 3\n');
    expect(server.type('kubectl exec -i deploy/web -- cat', 'from outside\n').out).toBe('from outside\n');
  });

  test('a watch tells of changes as they come', () => {
    const line =
      '(sleep 1; kubectl label deploy web colour=red >/dev/null) & timeout 3 kubectl get deploy web -w -L colour --no-headers';
    const lines = server.type(line).out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^web .*s *$/);
    expect(lines.at(-1)).toMatch(/red$/);
  });

  test('typed clients send protobuf', () => {
    expect(server.type('kubectl create configmap conf --from-literal=a=1').out).toBe('configmap/conf created\n');
    expect(server.type(`kubectl get cm conf -o jsonpath='{.data}'`).out).toBe('{"a":"1"}');
    expect(server.type('kubectl create deployment typed --image=nginx:1.27 --replicas=0 --port=80').code).toBe(0);
    expect(
      server.type(`kubectl get deploy typed -o jsonpath='{.spec.replicas} {.spec.template.spec.containers[0].ports}'`).out,
    ).toBe('0 [{"containerPort":80,"protocol":"TCP"}]');
    expect(server.type('kubectl create token default').out).toMatch(/^ey/);
  });

  test('a field that is not there is refused by the server', () => {
    server.file('typo.yaml', WEB.replace('replicas', 'replica').replace('name: web', 'name: typo'));
    const {err, code} = server.type('kubectl apply -f typo.yaml');
    expect(code).toBe(1);
    expect(err).toContain('strict decoding error: unknown field "spec.replica"');
  });

  test.each(['-algorithm EC -pkeyopt ec_paramgen_curve:P-256', '-algorithm RSA -pkeyopt rsa_keygen_bits:2048'])(
    'a certificate that the cluster signed for a key of the host (%s) says who asks',
    algorithm => {
      const type = (line: string) => server.type(line).out;
      type(`openssl genpkey ${algorithm} -out nina.key 2>/dev/null`);
      const request = type('openssl req -new -key nina.key -subj /O=storefront/O=readers/CN=nina | base64 -w0');
      if (request === '') return console.log('no openssl on this machine: signing is not tested');
      const spec = {request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth']};
      const object = {apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: {name: 'nina'}, spec};
      server.file('nina.json', JSON.stringify(object));
      type('kubectl delete csr nina --ignore-not-found; kubectl create -f nina.json; kubectl certificate approve nina');
      type("kubectl wait csr/nina --for=jsonpath='{.status.certificate}' --timeout=20s");
      type("kubectl get csr nina -o jsonpath='{.status.certificate}' | base64 -d > nina.crt");
      type('kubectl config set-credentials nina --client-certificate=nina.crt --client-key=nina.key');
      const who = "kubectl --user=nina auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'";
      expect(server.type(who)).toEqual({out: 'nina ["readers","storefront","system:authenticated"]', err: '', code: 0});
      type('openssl req -x509 -new -key nina.key -subj /CN=kubernetes -days 1 -out nina.crt');
      expect(server.type(who).err).toContain('Unauthorized');
    },
  );

  test('a token is as good as a certificate, a wrong one is not', () => {
    server.type(
      'kubectl create serviceaccount robot && kubectl create clusterrolebinding robot --clusterrole=view --serviceaccount=default:robot',
    );
    const as = (token: string, words: string) =>
      server.type(
        `kubectl config view --raw --minify -o json | sed 's/"client-[a-z-]*": "[^"]*",*//' > t.conf; KUBECONFIG=t.conf kubectl --token="${token}" ${words}`,
      );
    expect(as('$(kubectl create token robot)', 'get cm conf -o name').out).toBe('configmap/conf\n');
    expect(as('$(kubectl create token robot)', 'delete cm conf').err).toContain(
      'User "system:serviceaccount:default:robot" cannot delete',
    );
    expect(as('nonsense', 'get cm').err).toMatch(/You must be logged in|Unauthorized/);
  });

  test('a delete waits until the pods are gone', () => {
    expect(server.type('kubectl delete deploy web').out).toContain('"web" deleted');
    expect(server.type('kubectl get deploy web').err).toContain('NotFound');
  });
});
