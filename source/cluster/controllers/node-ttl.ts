// The TTL controller: tells kubelets how long they may use secrets and config maps from memory. In a small cluster not at all;
// the more nodes, the longer. Growing and shrinking have thresholds of their own, so that one node more or less does not
// rewrite all nodes.
import type {Node} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {patch} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const nodes = builtin('nodes');
const ANNOTATION = 'node.alpha.kubernetes.io/ttl';

interface Step {
  readonly least: number;
  readonly most: number;
  readonly ttlSeconds: number;
}

const STEPS: readonly Step[] = [
  {least: 0, most: 100, ttlSeconds: 0},
  {least: 90, most: 500, ttlSeconds: 15},
  {least: 450, most: 1000, ttlSeconds: 30},
  {least: 900, most: 2000, ttlSeconds: 60},
  {least: 1800, most: Infinity, ttlSeconds: 300},
];

/** Which step a cluster of `count` nodes is on, coming from another one. */
export function stepFor(count: number, from: number): number {
  let step = from;
  while (count > (STEPS[step]?.most ?? Infinity)) step++;
  while (count < (STEPS[step]?.least ?? 0)) step--;
  return step;
}

/** Keeps the annotation. */
export const nodeTtlController: Controller = {
  name: 'ttl-controller',
  account: 'ttl-controller',
  start: context => {
    const informer = context.informers.of<Node>(nodes);
    let step = 0;
    const queue = context.queue({reconcile: key => sync(context, key, STEPS[step]?.ttlSeconds ?? 0)});
    const census = (): void => {
      const next = stepFor(informer.store.size, step);
      if (next === step) return;
      step = next;
      for (const name of informer.store.keys()) queue.add(name);
    };
    informer.on({
      added: node => {
        census();
        queue.add(node.metadata.name);
      },
      updated: (node, old) => {
        if (node.metadata.annotations !== old.metadata.annotations) queue.add(node.metadata.name);
      },
      deleted: census,
    });
  },
};

function* sync({client, informers}: Context, name: string, ttlSeconds: number): Task<Outcome> {
  const node = informers.of<Node>(nodes).get(name);
  const value = String(ttlSeconds);
  if (!node || node.metadata.annotations?.[ANNOTATION] === value) return undefined;
  const result = yield* client.ask(patch(nodes, {name}, 'strategic', {metadata: {annotations: {[ANNOTATION]: value}}}));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}
