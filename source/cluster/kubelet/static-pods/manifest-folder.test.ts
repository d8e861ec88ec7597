// The kubelet's folder of manifests with all that people leave in it, and its looks at it.
import {expect, test} from 'vitest';
import {Clock} from '../../../sim/clock.ts';
import {Daemon} from '../../../sim/daemon.ts';
import {Dice} from '../../../sim/dice.ts';
import {Files} from '../../../sim/files.ts';
import {Trace} from '../../../sim/trace.ts';
import {ManifestFolder} from './manifest-folder.ts';

const FOLDER = '/etc/kubernetes/manifests';

function pod(name: string, image = 'nginx:1.27'): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: web, image: "${image}"}]\n`;
}

/** A folder, the pods that its kubelet would run (as name=image), and what it prints. */
function watched(startMs = 0) {
  const clock = new Clock();
  clock.settle(startMs);
  const trace = new Trace(clock);
  const lines: string[] = [];
  const daemon = new Daemon('kubelet', 2, {
    clock,
    trace,
    dice: new Dice(1),
    host: 'cp-1',
    wall: () => clock.now,
    dial: () => ({cancel: () => {}}) as never,
    listen: () => undefined as never,
  });
  daemon.print = line => void lines.push(line);
  const files = new Files(() => clock.now);
  files.place(`${FOLDER}/.keep`, '');
  let pods: string[] = [];
  const folder = new ManifestFolder({
    daemon,
    files,
    folder: FOLDER,
    node: 'cp-1',
    changed: all => (pods = all.map(each => `${each.metadata.name}=${each.spec.containers[0]?.image}`)),
  });
  folder.start();
  const wait = (ms: number) => {
    const until = clock.now + ms;
    let events = 0;
    while (clock.next <= until && events < 10_000) {
      clock.step();
      events++;
    }
    return events;
  };
  return {files, lines, wait, pods: () => pods, look: () => wait(25_000)};
}

interface Rubbish {
  readonly name: string;
  readonly text: string;
  /** What runs beside the good pod, or instead of it. */
  readonly runs?: readonly string[];
  readonly says?: string;
}

const cannot = '"Could not process manifest file" err=';

const RUBBISH: readonly Rubbish[] = [
  {name: 'notes.txt', text: 'remember to renew\n', says: cannot},
  {name: 'empty.yaml', text: '', says: "Object 'Kind' is missing in 'null'"},
  {name: 'broken.yaml', text: pod('b').replace('spec:', ' spec:'), says: 'yaml: line '},
  {
    name: 'tabs.yaml',
    text: pod('b').replace('  containers', '\tcontainers'),
    says: 'found character that cannot start any token',
  },
  {name: 'deploy.yaml', text: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n', says: 'invalid pod: Deployment'},
  {name: 'kind.yaml', text: 'apiVersion: v1\nkind: Pdo\n', says: String.raw`no kind \"Pdo\" is registered`},
  {name: 'bare.yaml', text: pod('b').replace(/ {2}containers.*/, '  containers: []'), says: 'spec.containers: Required value'},
  {name: 'name.yaml', text: pod('Big_Name'), says: 'metadata.name: Invalid value'},
  {name: '.hidden.yaml', text: pod('hidden'), runs: ['good-cp-1=nginx:1.27']},
  {name: '.good.yaml.swp', text: 'rubbish', runs: ['good-cp-1=nginx:1.27']},
  {name: 'without-ending', text: pod('other'), runs: ['good-cp-1=nginx:1.27', 'other-cp-1=nginx:1.27']},
  {name: 'good.yaml.bak', text: pod('good', 'nginx:1.20'), runs: ['good-cp-1=nginx:1.20']},
  {name: 'two.yaml', text: `${pod('one')}---\n${pod('two')}`, runs: ['good-cp-1=nginx:1.27', 'one-cp-1=nginx:1.27']},
  {
    name: 'pod.json',
    text: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: 'j'},
      spec: {containers: [{name: 'c', image: 'nginx'}]},
    }),
    runs: ['good-cp-1=nginx:1.27', 'j-cp-1=nginx'],
  },
  {name: 'huge.yaml', text: `# ${'x'.repeat(300_000)}\n${pod('huge')}`, runs: ['good-cp-1=nginx:1.27', 'huge-cp-1=nginx:1.27']},
];

test.each(RUBBISH)('$name in the folder', ({name, text, runs = ['good-cp-1=nginx:1.27'], says}) => {
  const {files, lines, pods, look} = watched();
  files.place(`${FOLDER}/good.yaml`, pod('good'), 0o600);
  files.place(`${FOLDER}/${name}`, text, 0o644);
  look();
  expect(pods()).toEqual(runs);
  if (says === undefined) expect(lines).toEqual([]);
  else expect(lines.join('\n')).toContain(says);
});

test('a folder in it is passed over, and so is what lies in there', () => {
  const {files, lines, pods, look} = watched();
  files.place(`${FOLDER}/old/good.yaml`, pod('good'), 0o600);
  look();
  expect(pods()).toEqual([]);
  expect(lines.join('\n')).toContain('"Provided manifest path is a directory, not recursing into manifest path"');
});

test('a file that breaks keeps its pod until the next look at the whole folder', () => {
  const {files, pods, wait, look} = watched();
  files.place(`${FOLDER}/good.yaml`, pod('good'), 0o600);
  look();
  files.place(`${FOLDER}/good.yaml`, 'a: [', 0o600);
  wait(1000);
  expect(pods()).toEqual(['good-cp-1=nginx:1.27']);
  look();
  expect(pods()).toEqual([]);
});

test.each([0, 0.3, 2165.530863856, 2179.7777774339997, 2229.641974957])(
  'begun at %d ms it looks every twenty seconds, and no more',
  startMs => {
    const {files, wait} = watched(startMs);
    files.place(`${FOLDER}/good.yaml`, pod('good'), 0o600);
    expect(wait(3_600_000)).toBeLessThan(190);
  },
);
