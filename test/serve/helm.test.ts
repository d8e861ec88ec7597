// The real helm at `crashloop serve`: a release's whole life, and charts that fail.
import {randomBytes} from 'node:crypto';
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

const job = (name: string, hook: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Release.Name }}-${name}", annotations: {"helm.sh/hook": "${hook}", "helm.sh/hook-delete-policy": hook-succeeded}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "busybox:1.36", command: [sh, -c, "echo ${name}"]}]}}}
`;
const TRY = `apiVersion: v1
kind: Pod
metadata: {name: "{{ .Release.Name }}-try", annotations: {"helm.sh/hook": test}}
spec: {restartPolicy: Never, containers: [{name: a, image: "busybox:1.36", command: [sh, -c, "echo tried {{ .Release.Name }}"]}]}
`;
const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}]
`;
const WIDGET = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 3}\n';

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

  test('hooks run before and after, and a release is tried', () => {
    chart('hooked', {
      'web.yaml': WEB,
      'pre.yaml': job('pre', 'pre-install'),
      'post.yaml': job('post', 'post-install'),
      'try.yaml': TRY,
    });
    expect(server.type('helm install three hooked --wait --timeout 50s')).toMatchObject({err: '', code: 0});
    expect(
      server.type('kubectl get events --field-selector reason=Completed -o custom-columns=:.involvedObject.name --no-headers')
        .out,
    ).toBe('three-post\nthree-pre\n');
    expect(server.type('kubectl get jobs -o name').out).toBe('');
    const tried = server.type('helm test three --logs');
    expect(tried.code).toBe(0);
    expect(tried.out).toMatch(/Phase: +Succeeded[\s\S]*POD LOGS: three-try\ntried three\n/);
  });

  test('an upgrade that fails is taken back', () => {
    const failed = server.type('helm upgrade three hooked --set tag=none --rollback-on-failure --timeout 5s');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('release three failed, and has been rolled back due to rollback-on-failure being set');
    expect(server.type("kubectl get deploy three-web -o jsonpath='{.spec.template.spec.containers[0].image}'").out).toBe(
      'nginx:1.27',
    );
    expect(server.type('helm history three').out).toMatch(/failed[\s\S]*deployed[^\n]*\tRollback to 1/);
    expect(server.type('helm uninstall three --wait').out).toBe('release "three" uninstalled\n');
  });

  test('a chart brings its own kinds', () => {
    mkdirSync(join(server.folder, 'operator', 'crds'), {recursive: true});
    chart('operator', {'widget.yaml': WIDGET});
    server.file('operator/crds/widgets.yaml', WIDGETS);
    expect(server.type('helm install four operator --wait --timeout 50s').code).toBe(0);
    expect(server.type('kubectl get widget w -o jsonpath={.spec.size}').out).toBe('3');
    expect(server.type('helm upgrade four operator').code).toBe(0);
    expect(server.type('helm uninstall four').code).toBe(0);
    expect(server.type('kubectl get crd widgets.example.com -o name').out).toBe(
      'customresourcedefinition.apiextensions.k8s.io/widgets.example.com\n',
    );
  });

  test('a large chart is installed whole, and one that is too large is refused', () => {
    const maps = (count: number, size: number) =>
      Object.fromEntries(
        Array.from({length: count}, (_, n) => [
          `c${n}.yaml`,
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "large-${n}"}\ndata: {a: "${randomBytes(size / 2).toString('hex')}"}\n`,
        ]),
      );
    chart('large', maps(80, 1000));
    expect(server.type('helm install five large').code).toBe(0);
    expect(server.type('kubectl get cm -o name | grep -c large-').out).toBe('80\n');
    expect(server.type('helm uninstall five').code).toBe(0);
    chart('huge', maps(8, 600_000));
    expect(server.type('helm install six huge').err).toContain('Request entity too large: limit is 3145728');
  });
});
