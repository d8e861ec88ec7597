// The pod of a DaemonSet on one node: the scheduler places it as any other, so it says by affinity which node it is for, and it
// bears what daemons have to bear: nodes that are not ready, under pressure, or cordoned.
import type {Affinity, PodSpec, PodTemplateSpec, Toleration} from '../../../api/kinds/core-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';

const NODE_NAME = 'metadata.name';

const BORNE: readonly Toleration[] = [
  {key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute'},
  {key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute'},
  {key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule'},
  {key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule'},
  {key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule'},
  {key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule'},
];
const BORNE_ON_HOST: readonly Toleration[] = [
  ...BORNE,
  {key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule'},
];

const known = new WeakMap<PodSpec, readonly Toleration[]>();

/** The tolerations of a DaemonSet's pods. */
export function daemonTolerations(spec: PodSpec): readonly Toleration[] {
  const made = known.get(spec);
  if (made) return made;
  const own = spec.tolerations ?? [];
  const missing = (spec.hostNetwork ? BORNE_ON_HOST : BORNE).filter(
    each =>
      !own.some(
        other =>
          other.key === each.key &&
          other.effect === each.effect &&
          other.operator === 'Exists' &&
          other.tolerationSeconds === undefined,
      ),
  );
  const tolerations = Object.freeze([...own, ...missing]);
  if (Object.isFrozen(spec)) known.set(spec, tolerations);
  return tolerations;
}

/** The template as it is for all nodes, with the labels that tell its revision. */
export function daemonTemplate(template: PodTemplateSpec, labels: Readonly<Record<string, string>>): PodTemplateSpec {
  const metadata = {...template.metadata, labels: Object.freeze({...template.metadata?.labels, ...labels})};
  const spec = template.spec ?? {containers: []};
  return {metadata: metadata as ObjectMeta, spec: {...spec, tolerations: daemonTolerations(spec)}};
}

/** The template for one node. */
export function onNode(template: PodTemplateSpec, node: string): PodTemplateSpec {
  const {spec = {containers: []}} = template;
  return {...template, spec: {...spec, affinity: forNode(spec.affinity, node)}};
}

/** An affinity for a node; what else it required of nodes was checked when the node was chosen. */
function forNode(affinity: Affinity | undefined, node: string): Affinity {
  const term = {matchFields: [{key: NODE_NAME, operator: 'In' as const, values: [node]}]};
  const required = {nodeSelectorTerms: [term]};
  return {...affinity, nodeAffinity: {...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required}};
}

/** The node that a daemon's pod is on, or is for. */
export function targetNode({spec}: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  for (const {matchFields = []} of terms ?? []) {
    for (const {key, operator, values = []} of matchFields) if (key === NODE_NAME && operator === 'In') return values[0];
  }
  return undefined;
}
