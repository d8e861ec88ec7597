// The node lifecycle controller: health (watch.ts), taints after conditions, and the old names of two labels.
import type {Node} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {patch} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {planNoSchedule} from './taints.ts';
import {HealthWatch, taintRequest} from './watch.ts';

const nodes = builtin('nodes');

/** Old label, new label: nodes that have the new one get the old one too. */
const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
};

/** Watches over nodes. */
export const nodeLifecycleController: Controller = {
  name: 'node-lifecycle-controller',
  account: 'node-controller',
  component: 'node-controller',
  start: context => {
    new HealthWatch(context).start();
    const queue = context.queue({reconcile: key => sync(context, key), workers: 8});
    context.informers.of<Node>(nodes).on({
      added: node => queue.add(node.metadata.name),
      updated: (node, old) => {
        if (isChanged(node, old)) queue.add(node.metadata.name);
      },
    });
  },
};

function isChanged(node: Node, old: Node): boolean {
  if (node.spec !== old.spec || node.metadata.labels !== old.metadata.labels) return true;
  const before = old.status?.conditions ?? [];
  const after = node.status?.conditions ?? [];
  return after.length !== before.length || after.some((each, index) => each.status !== before[index]?.status);
}

function* sync(context: Context, name: string): Task<Outcome> {
  const {client, daemon, informers} = context;
  const node = informers.of<Node>(nodes).get(name);
  if (!node) return undefined;
  const taints = planNoSchedule(node, daemon.now());
  if (taints) {
    const result = yield* client.ask(taintRequest(node, taints));
    if (!result.ok) return 'again';
  }
  const labels = planLabels(node);
  if (Object.keys(labels).length === 0) return undefined;
  const result = yield* client.ask(patch(nodes, {name}, 'strategic', {metadata: {labels}}));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}

/** The labels that are missing or differ from their new names. */
function planLabels({metadata: {labels = {}}}: Node): Readonly<Record<string, string>> {
  const missing: Record<string, string> = {};
  for (const [old, now] of Object.entries(OLD_LABELS)) {
    const value = labels[now];
    if (value !== undefined && labels[old] !== value) missing[old] = value;
  }
  return missing;
}
