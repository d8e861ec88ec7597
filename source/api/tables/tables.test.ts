import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import type {Pod} from '../kinds/core-v1.ts';
import type {AnyObject} from '../meta/object.ts';
import {builtin, RESOURCES, resourceOfKind} from '../meta/resources.ts';
import {applyDefaults, decodeKind} from '../schema/index.ts';
import {readYaml} from '../yaml/read.ts';
import {rowCells, tableRows} from './index.ts';

const NOW = Date.UTC(2026, 10, 30, 5, 0, 0);
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString().replace('.000', '');

function complete(draft: object): AnyObject {
  const kind = draft as {apiVersion: string; kind: string; metadata: object};
  const decoded = decodeKind(kind, {...kind, metadata: {creationTimestamp: ago(5), ...kind.metadata}});
  if (!decoded?.ok) throw new Error(decoded?.error ?? 'no such kind');
  return applyDefaults(decoded.value as AnyObject);
}

function cellsOf(draft: object): string {
  const object = complete(draft);
  const resource = resourceOfKind(object.apiVersion, object.kind);
  if (!resource) throw new Error('no such resource');
  return rowCells(resource, object, NOW).join('|');
}

test('every resource that has columns has as many cells', () => {
  for (const resource of RESOURCES) {
    if (resource.columns.length === 0 || resource.verbs.length === 0) continue;
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    const object = complete({apiVersion, kind: resource.kind, metadata: {name: 'x'}});
    const [row] = tableRows(resource, [object], NOW).rows;
    expect(row?.cells.length, resource.resource).toBe(resource.columns.length);
    expect(
      row?.cells.every(cell => cell !== undefined && cell !== null),
      resource.resource,
    ).toBe(true);
  }
});

const running = {running: {startedAt: ago(60)}};
const container = (name: string, state: object, more: object = {}) => ({
  name,
  state,
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: '',
  ...more,
});
const terminated = (exitCode: number, reason?: string) => ({
  terminated: {exitCode, ...(reason ? {reason} : {}), finishedAt: ago(300)},
});
const waiting = (reason: string) => ({waiting: {reason}});

function aPod(status: object, more: {spec?: object; metadata?: object} = {}): Pod {
  const spec = {containers: [{name: 'a', image: 'i'}], ...more.spec};
  return complete({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'p', ...more.metadata}, spec, status}) as unknown as Pod;
}

test.each<[string, string, string, Pod]>([
  ['0/1', 'Pending', '0', aPod({phase: 'Pending'})],
  ['0/1', 'ContainerCreating', '0', aPod({phase: 'Pending', containerStatuses: [container('a', waiting('ContainerCreating'))]})],
  ['1/1', 'Running', '0', aPod({phase: 'Running', containerStatuses: [container('a', running, {ready: true})]})],
  [
    '0/1',
    'CrashLoopBackOff',
    '3 (5m ago)',
    aPod({
      phase: 'Running',
      containerStatuses: [container('a', waiting('CrashLoopBackOff'), {restartCount: 3, lastState: terminated(1, 'Error')})],
    }),
  ],
  ['0/1', 'Completed', '0', aPod({phase: 'Succeeded', containerStatuses: [container('a', terminated(0, 'Completed'))]})],
  ['0/1', 'ExitCode:3', '0', aPod({phase: 'Failed', containerStatuses: [container('a', terminated(3))]})],
  ['0/1', 'Evicted', '0', aPod({phase: 'Failed', reason: 'Evicted'})],
  [
    '1/2',
    'NotReady',
    '0',
    aPod(
      {phase: 'Running', containerStatuses: [container('a', terminated(0, 'Completed')), container('b', running, {ready: true})]},
      {
        spec: {
          containers: [
            {name: 'a', image: 'i'},
            {name: 'b', image: 'i'},
          ],
        },
      },
    ),
  ],
  [
    '0/1',
    'Init:0/1',
    '0',
    aPod(
      {phase: 'Pending', initContainerStatuses: [container('i', running)]},
      {spec: {initContainers: [{name: 'i', image: 'i'}]}},
    ),
  ],
  [
    '0/1',
    'Init:CrashLoopBackOff',
    '2',
    aPod(
      {phase: 'Pending', initContainerStatuses: [container('i', waiting('CrashLoopBackOff'), {restartCount: 2})]},
      {spec: {initContainers: [{name: 'i', image: 'i'}]}},
    ),
  ],
  [
    '0/1',
    'Init:Error',
    '0',
    aPod(
      {phase: 'Pending', initContainerStatuses: [container('i', terminated(1, 'Error'))]},
      {spec: {initContainers: [{name: 'i', image: 'i'}]}},
    ),
  ],
  [
    '2/2',
    'Running',
    '1',
    aPod(
      {
        phase: 'Running',
        initContainerStatuses: [container('s', running, {ready: true, started: true, restartCount: 1})],
        containerStatuses: [container('a', running, {ready: true})],
      },
      {spec: {initContainers: [{name: 's', image: 'i', restartPolicy: 'Always'}]}},
    ),
  ],
  [
    '1/1',
    'Terminating',
    '0',
    aPod(
      {phase: 'Running', containerStatuses: [container('a', running, {ready: true})]},
      {metadata: {deletionTimestamp: ago(1)}},
    ),
  ],
  [
    '0/1',
    'SchedulingGated',
    '0',
    aPod({phase: 'Pending', conditions: [{type: 'PodScheduled', status: 'False', reason: 'SchedulingGated'}]}),
  ],
])('a pod is %s %s %s', (ready, status, restarts, pod) => {
  expect(rowCells(builtin('pods'), pod, NOW).slice(1, 5)).toEqual([ready, status, restarts, '5s']);
});

test.each([
  ['Ready|control-plane,gpu', {labels: {'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/role': 'gpu'}}, {}, 'True'],
  ['NotReady,SchedulingDisabled|<none>', {}, {unschedulable: true}, 'Unknown'],
])('a node is %s', (text, metadata, spec, ready) => {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'n', ...metadata},
    spec,
    status: {conditions: [{type: 'Ready', status: ready}]},
  };
  expect(cellsOf(node)).toBe(`n|${text}|5s||<none>|<none>|<unknown>|<unknown>|<unknown>`);
});

const recording = '../shared/golden/api/table-columns.yaml';

/** Columns three blanks apart, as kubectl prints them. */
function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(
      row =>
        `${row
          .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}

test.skipIf(!existsSync(recording))('the rows of objects that nobody acts on are those of the real server', () => {
  const {files, steps} = parse(readFileSync(recording, 'utf8')) as {
    files: Record<string, string>;
    steps: {run: string; out?: string}[];
  };
  const objects = readYaml(files['objs.yaml'] ?? '').documents.map(({value}) => complete(value as object));
  const wanted = ['deploy', 'sts', 'ds', 'cj', 'rolebinding', 'svc', 'pvc'];
  const names: Record<string, string> = {
    deploy: 'deployments',
    sts: 'statefulsets',
    ds: 'daemonsets',
    cj: 'cronjobs',
    rolebinding: 'rolebindings',
    svc: 'services',
    pvc: 'persistentvolumeclaims',
  };
  let compared = 0;
  for (const {run, out} of steps) {
    const [, kind = '', wide] = /^kubectl get (\w+) -n show( -o wide)?$/.exec(run) ?? [];
    if (!wanted.includes(kind) || out === undefined) continue;
    const resource = RESOURCES.find(one => one.resource === names[kind]);
    if (!resource) throw new Error(kind);
    const table = tableRows(
      resource,
      objects.filter(object => object.kind === resource.kind),
      NOW,
    );
    const shown = (_: unknown, i: number) => wide !== undefined || table.columnDefinitions[i]?.priority === 0;
    const head = table.columnDefinitions.filter(shown).map(({name}) => name.toUpperCase());
    const blank = (text: string) =>
      text
        .replaceAll(/\b\d+s\b/g, 'AGE')
        .replaceAll(/10\.\d+\.\d+\.\d+/g, '<none>')
        .replaceAll(/ +/g, ' ');
    const rows = table.rows.map(row => row.cells.filter(shown).map(String));
    expect(blank(printTable([head, ...rows])), run).toBe(blank(out));
    compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(7);
});

test.each([
  [
    '5m|Warning|Burnt|pod/oven|spec.containers{bread}|baker, kitchen|black|10m|7|a.1',
    {
      apiVersion: 'v1',
      metadata: {name: 'a.1'},
      involvedObject: {kind: 'Pod', name: 'oven', fieldPath: 'spec.containers{bread}'},
      source: {component: 'baker', host: 'kitchen'},
      type: 'Warning',
      reason: 'Burnt',
      message: 'black',
      count: 7,
      firstTimestamp: ago(600),
      lastTimestamp: ago(300),
    },
  ],
  [
    '5m|Normal|Closed|service/shop||example.com/keeper, keeper-1|good night|10m|3|d.4',
    {
      apiVersion: 'events.k8s.io/v1',
      metadata: {name: 'd.4'},
      regarding: {kind: 'Service', name: 'shop'},
      reportingController: 'example.com/keeper',
      reportingInstance: 'keeper-1',
      type: 'Normal',
      reason: 'Closed',
      note: 'good night',
      eventTime: `${ago(600).slice(0, -1)}.000000Z`,
      series: {count: 3, lastObservedTime: `${ago(300).slice(0, -1)}.000000Z`},
    },
  ],
])('an event is %s', (text, event) => {
  expect(cellsOf({kind: 'Event', ...event})).toBe(text);
});

test('a kind that nobody listed has a name and an age', () => {
  const resource = {group: 'example.com', version: 'v1', resource: 'things', kind: 'Thing', namespaced: true};
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: {name: 't', uid: 'u', resourceVersion: '1', creationTimestamp: ago(90)},
  };
  const table = tableRows(resource, [object], NOW);
  expect(table.columnDefinitions.map(({name}) => name)).toEqual(['Name', 'Age']);
  expect(table.rows).toEqual([{cells: ['t', '90s'], object}]);
});
