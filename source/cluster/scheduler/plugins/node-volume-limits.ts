// How many volumes of one CSI driver a node takes: as many as its CSINode says, counting each volume once, whoever uses it. What
// is attached counts too, though the pod that wanted it is gone.
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {classOfClaim} from '../../../api/meta/volume-match.ts';
import type {CSINode} from '../../../api/kinds/storage-v1.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import type {Plugin, Verdict} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';

interface State {
  readonly cluster: ClusterState;
  /** The drivers of the pod's volumes, by the volumes' unique names. */
  readonly wanted: ReadonlyMap<string, string>;
}

const TOO_MANY: Verdict = {code: 'resolvable', reasons: ['node(s) exceed max volume count']};

export const nodeVolumeLimits: Plugin<State> = {
  name: 'NodeVolumeLimits',
  preFilter({cluster, pod}) {
    if (pod.claims.length === 0) return 'skip';
    const wanted = volumesOf(cluster, pod);
    return wanted.size === 0 ? 'skip' : {state: {cluster, wanted}};
  },
  filter({cluster, wanted}, _pod, node) {
    const limits = limitsOf(cluster.lookups.csiNode(node.name));
    if (limits.size === 0) return undefined;
    const there = volumesOn(cluster, node);
    const counts = new Map<string, number>();
    for (const driver of there.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
    for (const [name, driver] of wanted) if (!there.has(name)) counts.set(driver, (counts.get(driver) ?? 0) + 1);
    for (const driver of new Set(wanted.values())) {
      if ((counts.get(driver) ?? 0) > (limits.get(driver) ?? Infinity)) return TOO_MANY;
    }
    return undefined;
  },
  worthRetry(event, pod) {
    if (event.about === 'placed') return event.after === undefined && (event.before?.claims.length ?? 0) > 0;
    if (event.about !== 'storage') return false;
    if (event.kind === 'node limits') return event.after !== undefined;
    if (event.kind === 'attachment') return event.after === undefined;
    return (
      event.kind === 'claim' &&
      event.after?.metadata.namespace === pod.namespace &&
      pod.claims.includes(event.after.metadata.name)
    );
  },
};

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const {name, allocatable} of csiNode?.spec.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  return limits;
}

function volumesOn(cluster: ClusterState, node: NodeInfo): ReadonlyMap<string, string> {
  const there = new Map<string, string>();
  for (const pod of node.pods.values()) for (const [name, driver] of volumesOf(cluster, pod)) there.set(name, driver);
  for (const {spec} of cluster.lookups.attachments(node.name)) {
    const csi = cluster.lookups.volume(spec.source.persistentVolumeName ?? '')?.spec?.csi;
    if (csi) there.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
  }
  return there;
}

/** The CSI volumes of a pod and their drivers; one that is still to be made counts for the driver of its class. */
function volumesOf(cluster: ClusterState, pod: PodInfo): ReadonlyMap<string, string> {
  if (pod.claims.length === 0) return NONE;
  const found = new Map<string, string>();
  for (const name of pod.claims) {
    const claim = cluster.lookups.claim(pod.namespace, name);
    if (!claim) continue;
    const csi = cluster.lookups.volume(claim.spec?.volumeName ?? '')?.spec?.csi;
    if (csi) found.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    else if (!claim.spec?.volumeName) addFuture(cluster, claim, found);
  }
  return found;
}

const NONE: ReadonlyMap<string, string> = new Map();

function addFuture(cluster: ClusterState, claim: PersistentVolumeClaim, found: Map<string, string>): void {
  const driver = cluster.lookups.storageClass(classOfClaim(claim))?.provisioner;
  if (driver && !driver.startsWith('kubernetes.io/'))
    found.set(`${driver}-${claim.metadata.namespace}/${claim.metadata.name}`, driver);
}
