// A level, as its file says it: one YAML file, one shape. The shape is the schema: what is not in it is refused, with its place.
import type {AnyObject} from '../../api/meta/object.ts';
import {isMap} from 'yaml';
import {isPreset} from '../../world/presets.ts';
import type {Check} from '../goals/check.ts';
import {check} from '../goals/index.ts';
import {
  anything,
  checked,
  duration,
  list,
  mapOf,
  needed,
  number,
  oneOf,
  oneOrMore,
  optional,
  record,
  text,
  word,
  yesNo,
  Place,
  type Reader,
  type RecordOf,
} from './reader.ts';
import {happening} from './happening.ts';
import {kubeObject} from './manifest.ts';
import {program} from './program.ts';

const step = record({run: optional(text()), on: optional(text()), wait: optional(waitable()), timeout: optional(duration())});

/** One thing that is typed, or waited for. */
export type Step = NonNullable<ReturnType<typeof step>>;

const steps = list(
  checked(step, each =>
    (each.run === undefined) === (each.wait === undefined) ? 'a step is either {run: …} or {wait: …}' : undefined,
  ),
);

const taint = record({
  key: needed(text()),
  value: optional(text()),
  effect: needed(oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute')),
});

const node = record({
  name: needed(text()),
  capacity: optional(mapOf(word())),
  allocatable: optional(mapOf(word())),
  labels: optional(mapOf(text())),
  taints: optional(list(taint)),
  zone: optional(text()),
  address: optional(text()),
  ip: optional(text()),
});

const image = record({image: needed(text()), size: needed(word()), program: needed(text())});

const certificate = record({
  secret: needed(
    checked(text(), words => (/^[^/]+\/[^/]+$/.test(words) ? undefined : 'NAMESPACE/NAME of a Secret is wanted here')),
  ),
  names: needed(list(text())),
  authority: optional(text()),
  webhooks: optional(list(text())),
});

/** What stands before the API servers. There is one, where a preset has several; a level may say so. */
const balancer = record({
  name: needed(text()),
  vip: needed(oneOf('10.0.0.10:6443')),
  targets: needed(list(text())),
  check: optional(oneOf('tcp')),
});

const cluster = record({
  preset: needed(
    checked(text(), name =>
      isPreset(name) ? undefined : `there is no preset ${JSON.stringify(name)}; known are solo, trio, ha, nine, one`,
    ),
  ),
  kubernetes: optional(oneOf('v1.35.4')),
  clock: optional(time()),
  etcd: optional(record({topology: optional(oneOf('stacked')), version: optional(oneOf('3.6.6'))})),
  network: optional(record({lb: optional(list(balancer))})),
  nodes: optional(list(node)),
  metricsServer: optional(yesNo()),
  storage: optional(record({provisioner: optional(yesNo()), capacity: optional(word())})),
  staticPods: optional(yesNo()),
  registry: optional(list(image)),
  certificates: optional(list(certificate)),
});

const player = record({
  host: optional(text()),
  user: needed(text()),
  groups: optional(list(text())),
  kubeconfig: needed(
    record({server: needed(text()), user: needed(text()), namespace: optional(text()), context: optional(text())}),
  ),
  rbac: optional(
    record({
      clusterRole: needed(text()),
      namespace: needed(text()),
      extra: optional(
        list(
          record({
            apiGroups: optional(list(text())),
            resources: optional(list(text())),
            verbs: needed(list(text())),
            resourceNames: optional(list(text())),
            nonResourceURLs: optional(list(text())),
          }),
        ),
      ),
    }),
  ),
  files: optional(mapOf(text())),
  ssh: optional(list(text())),
  env: optional(mapOf(mapOf(text()))),
  tools: optional(record({allow: optional(list(text())), deny: optional(list(text()))})),
});

const expectation = record({
  contains: optional(oneOrMore(text())),
  stdout: optional(oneOrMore(text())),
  stderr: optional(lines()),
  oneOf: optional(list(text())),
  column: optional(mapOf(word())),
  rows: optional(number()),
  within: optional(duration()),
});

const symptom = record({
  run: needed(text()),
  expect: needed(expectation),
  within: optional(duration()),
  after: optional(duration()),
});

const objective = record({
  id: needed(text()),
  text: needed(text()),
  check: needed(check()),
  for: optional(duration()),
  stage: optional(number()),
});

const constraint = record({
  id: needed(text()),
  severity: needed(oneOf('fail', 'star', 'note')),
  check: needed(check()),
  reason: needed(text()),
});

/** A question, or something that is done in a good order. */
const bonus = checked(
  record({
    id: needed(text()),
    ask: optional(text()),
    options: optional(list(text())),
    answer: optional(text()),
    text: optional(text()),
    check: optional(record({shell: needed(record({order: needed(list(text()))}))})),
  }),
  ({ask, answer, text: words, check: order}) =>
    (ask !== undefined && answer !== undefined) || (words !== undefined && order !== undefined)
      ? undefined
      : 'a bonus is {ask, answer} or {text, check}',
);

const cheat = record({
  id: needed(text()),
  steps: needed(steps),
  expect: needed(
    record({
      breach: optional(text()),
      unmet: optional(text()),
      stderr: optional(text()),
      log: optional(record({node: needed(text()), contains: needed(text())})),
      won: optional(yesNo()),
    }),
  ),
});

const also = record({id: needed(text()), note: optional(text()), steps: optional(steps)});

const debrief = record({
  model: needed(text()),
  seed: optional(text()),
  production: optional(text()),
  exam: optional(text()),
  commands: optional(list(text())),
  reading: optional(list(text())),
});

const fields = {
  format: needed(oneOf(1)),
  id: needed(text()),
  world: needed(number()),
  order: needed(number()),
  room: optional(oneOf('a', 'b')),
  title: needed(text()),
  domain: needed(text()),
  difficulty: needed(number()),
  minutes: needed(number()),
  idea: needed(text()),
  tags: optional(list(text())),
  requires: optional(list(text())),
  rng: needed(number()),
  story: needed(text()),
  briefing: needed(text()),
  teaches: optional(oneOf('keys')),
  cluster: needed(cluster),
  programs: optional(mapOf(program)),
  objects: needed(list(kubeObject())),
  applyOrder: optional(list(text())),
  settle: optional(duration()),
  faults: optional(list(happening(waitable()))),
  timeline: optional(none('timelines')),
  player: needed(player),
  symptom: needed(list(symptom)),
  objectives: needed(list(objective)),
  constraints: optional(list(constraint)),
  bonus: optional(list(bonus)),
  hints: needed(list(record({stars: needed(number()), text: needed(text())}))),
  lastHint: needed(steps),
  solution: needed(record({steps: needed(steps), also: optional(list(also))})),
  cheats: optional(list(cheat)),
  debrief: needed(debrief),
};

/** A whole level. */
export type Level = RecordOf<typeof fields> & {readonly objects: readonly AnyObject[]};
export type Objective = {
  readonly id: string;
  readonly text: string;
  readonly check: Check;
  readonly for?: number;
  readonly stage?: number;
};
export type Constraint = {
  readonly id: string;
  readonly severity: 'fail' | 'star' | 'note';
  readonly check: Check;
  readonly reason: string;
};

/** Reads a level, and looks at what its parts say of each other. */
export const levelReader: Reader<Level> = checked(record(fields) as Reader<Level>, contradiction);

/** How players call a level: `1.7a`, `2.1`. */
export function numberOf(level: Pick<Level, 'world' | 'order' | 'room'>): string {
  if (level.room === undefined) return `${level.world}.${level.order}`;
  return `${level.world}.${Math.ceil(level.order / 2)}${level.room}`;
}

/** What one part of a level promises and another does not have. */
function contradiction(level: Level): string | undefined {
  const programs = Object.keys(level.programs ?? {});
  for (const {image: name, program: model} of level.cluster.registry ?? []) {
    if (!programs.includes(model))
      return `the registry's image ${name} names the program ${JSON.stringify(model)}, which programs does not have`;
  }
  const names = level.objects.map(object => object.metadata.name);
  const unhooked = level.cluster.certificates?.flatMap(each => each.webhooks ?? []).find(name => !names.includes(name));
  if (unhooked !== undefined)
    return `certificates names the webhook configuration ${JSON.stringify(unhooked)}, which objects does not have`;
  const missing = level.applyOrder?.find(name => !names.includes(name));
  if (missing !== undefined) return `applyOrder names ${JSON.stringify(missing)}, which objects does not have`;
  const ids = new Set([...level.objectives, ...(level.constraints ?? [])].map(each => each.id));
  for (const {id, expect} of level.cheats ?? []) {
    const named = expect.breach ?? expect.unmet;
    if (named !== undefined && !ids.has(named))
      return `the cheat ${id} names ${JSON.stringify(named)}, which is no objective or constraint`;
  }
  return strangers(level);
}

/** Files of the player that stand for objects which are not there. */
function strangers(level: Level): string | undefined {
  for (const [file, content] of Object.entries(level.player.files ?? {})) {
    const missing = standsFor(content).find(
      name => !level.objects.some(object => object.metadata.name === name.split('/').at(-1)),
    );
    if (missing !== undefined) return `the file ${file} stands for ${missing}, which objects does not have`;
  }
  return undefined;
}

/** The objects that a file of the player is made from: `@object:deploy/shop/web svc/shop/web`. */
export function standsFor(content: string): readonly string[] {
  return content.startsWith('@object:') ? content.slice('@object:'.length).trim().split(/\s+/) : [];
}

function waitable(): Reader<{readonly forMs: number} | {readonly until: Check}> {
  const time = duration();
  const until = check();
  return (node, place) => {
    const ms = time(node, new Place(place.document, [], place.path, place.around));
    if (ms !== undefined) return {forMs: ms};
    const found = until(node, place);
    return found && {until: found};
  };
}

/** A time, as a text or under `start`. */
function time(): Reader<string> {
  const plain = checked(text(), words =>
    Number.isNaN(Date.parse(words)) ? 'a time such as 2026-11-27T09:03:00Z is wanted here' : undefined,
  );
  const named = record({start: needed(plain)});
  return (node, place) => (isMap(node) ? named(node, place)?.start : plain(node, place));
}

/** What a command prints: all of these lines, or one of several texts. */
function lines(): Reader<{readonly all: readonly string[]} | {readonly oneOf: readonly string[]}> {
  const plain = oneOrMore(text());
  const choice = record({oneOf: needed(list(text()))});
  return (node, place) => {
    if (isMap(node)) return choice(node, place);
    const all = plain(node, place);
    return all && {all};
  };
}

/** A list that must still be empty, because its verbs come with the machines of the next levels. */
function none(what: string): Reader<readonly never[]> {
  const plain = list(anything());
  return (node, place) => {
    const items = plain(node, place);
    if (items && items.length > 0) place.report(node, `${what} cannot be played yet: leave the list empty`);
    return items && [];
  };
}
