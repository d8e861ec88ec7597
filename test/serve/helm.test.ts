// The real helm at `crashloop serve`: a release's whole life, and charts that fail.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {oracle} from './oracle.ts';
import {Server} from './server.ts';

const tools = oracle();
const server = new Server(tools);

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: nginx, image: "nginx:{{ .Values.tag }}"}]}
`;

function chart(name: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(server.folder, name, 'templates'), {recursive: true});
  server.file(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`);
  server.file(`${name}/values.yaml`, 'replicas: 2\ntag: "1.27"\n');
  for (const [file, text] of Object.entries(files)) server.file(`${name}/templates/${file}`, text);
}

function image(): string {
  return server.type(`kubectl get deploy one-web -o jsonpath='{.spec.template.spec.containers[0].image}'`).out;
}

describe.skipIf(tools === undefined)('helm at serve', () => {
  beforeAll(async () => {
    await server.start();
    chart('shop', {'web.yaml': WEB});
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('a release is installed, and waited for', () => {
    const installed = server.type('helm install one shop --wait --timeout 50s');
    expect(installed).toMatchObject({err: '', code: 0});
    expect(installed.out).toContain('STATUS: deployed');
    expect(server.type('kubectl get deploy one-web').out).toMatch(/one-web +2\/2/);
    const owners = `kubectl get deploy one-web --show-managed-fields -o jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation}{"\\n"}{end}'`;
    expect(server.type(owners).out).toContain('helm Apply\n');
  });

  test('it is upgraded and rolled back', () => {
    expect(server.type('helm upgrade one shop --set tag=1.28').code).toBe(0);
    expect(image()).toBe('nginx:1.28');
    expect(server.type('helm rollback one 1').out).toBe('Rollback was a success! Happy Helming!\n');
    expect(image()).toBe('nginx:1.27');
    expect(server.type('helm history one').out.match(/superseded|deployed/g)).toEqual(['superseded', 'superseded', 'deployed']);
  });

  test('what somebody else owns is a conflict, unless it is forced', () => {
    server.type(`kubectl apply --server-side --force-conflicts --field-manager=other -f - <<'X'
apiVersion: apps/v1
kind: Deployment
metadata: {name: one-web}
spec: {replicas: 5}
X`);
    const refused = server.type('helm upgrade one shop --set replicas=3');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('conflict with "other": .spec.replicas');
    expect(server.type('helm upgrade one shop --set replicas=3 --force-conflicts').code).toBe(0);
  });

  test('a chart that the server refuses is a failed release', () => {
    chart('bad', {'conf.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n'});
    const failed = server.type('helm install two bad');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('metadata.name: Invalid value: "Bad_Name"');
    expect(server.type('helm list --failed -q').out).toBe('two\n');
  });

  test('a release that is uninstalled leaves nothing', () => {
    expect(server.type('helm uninstall one').out).toBe('release "one" uninstalled\n');
    expect(server.type('helm uninstall two').code).toBe(0);
    expect(server.type('kubectl get deploy,secret -o name').out).toBe('');
    expect(server.type('helm list -q').out).toBe('');
  });
});
