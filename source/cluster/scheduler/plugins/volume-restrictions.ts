// Volumes that not everybody may use at once. A claim with ReadWriteOncePod serves one pod in the whole cluster: as long as a pod on
// any node uses it, no node will do, unless preemption ends that pod. A disk named in a pod's own spec (GCE, AWS, iSCSI, RBD)
// serves one pod of a node, but for those that all only read it.
import type {Volume} from '../../../api/kinds/core-v1.ts';
import type {Context, Plugin, Verdict} from '../framework.ts';
import type {PodInfo} from '../state/pod-info.ts';
import {whyUnusable} from './volume-claims.ts';

interface State {
  /** The claims that serve one pod alone, and how many others use them now. */
  readonly alone: readonly string[];
  users: number;
  readonly disks: readonly Volume[];
}

const IN_USE: Verdict = {
  code: 'resolvable',
  reasons: ['node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod'],
};
const NO_DISK: Verdict = {code: 'resolvable', reasons: ['node(s) had no available disk']};

export const volumeRestrictions: Plugin<State> = {
  name: 'VolumeRestrictions',
  preFilter(context) {
    const {pod} = context;
    const disks = (pod.pod.spec.volumes ?? []).filter(isDisk);
    if (pod.claims.length === 0 && disks.length === 0) return 'skip';
    const alone = aloneClaims(context);
    if (typeof alone === 'string') return {refused: {code: 'unresolvable', reasons: [alone]}};
    if (alone.length === 0 && disks.length === 0) return 'skip';
    return {state: {alone, users: countUsers(context, alone), disks}};
  },
  filter({users, disks}, _pod, node) {
    if (disks.length > 0)
      for (const {pod} of node.pods.values())
        if (pod.spec.volumes?.some(volume => disks.some(disk => conflict(disk, volume)))) return NO_DISK;
    return users > 0 ? IN_USE : undefined;
  },
  copyState: state => ({...state}),
  adjust(state, pod, {other, by}) {
    if (other.namespace !== pod.namespace) return;
    for (const claim of state.alone) if (other.claims.includes(claim)) state.users += by;
  },
  worthRetry(event, pod) {
    if (event.about === 'placed') return event.after === undefined && event.before !== undefined && shares(pod, event.before);
    if (event.about !== 'storage' || event.kind !== 'claim' || !event.after) return false;
    return event.after.metadata.namespace === pod.namespace && pod.claims.includes(event.after.metadata.name);
  },
};

/** The pod's claims with ReadWriteOncePod; a text when one cannot be looked at. */
function aloneClaims(context: Context): readonly string[] | string {
  const {cluster, pod} = context;
  const alone: string[] = [];
  for (const name of pod.claims) {
    const claim = cluster.lookups.claim(pod.namespace, name);
    if (!claim) return whyUnusable(context, name, claim) ?? '';
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) alone.push(name);
  }
  return alone;
}

function countUsers({cluster, pod}: Context, alone: readonly string[]): number {
  let users = 0;
  for (const name of alone) for (const uid of cluster.claimUse.of(pod.namespace, name).keys()) if (uid !== pod.uid) users++;
  return users;
}

function shares(pod: PodInfo, other: PodInfo): boolean {
  if (pod.namespace === other.namespace && pod.claims.some(claim => other.claims.includes(claim))) return true;
  const disks = (pod.pod.spec.volumes ?? []).filter(isDisk);
  return (other.pod.spec.volumes ?? []).some(volume => disks.some(disk => conflict(disk, volume)));
}

function isDisk({gcePersistentDisk, awsElasticBlockStore, iscsi, rbd}: Volume): boolean {
  return (gcePersistentDisk ?? awsElasticBlockStore ?? iscsi ?? rbd) !== undefined;
}

/** Are two volumes one disk, which at least one of them wants to write? */
function conflict(a: Volume, b: Volume): boolean {
  const bothRead = (left: {readonly readOnly?: boolean}, right: {readonly readOnly?: boolean}) =>
    left.readOnly === true && right.readOnly === true;
  const gce = [a.gcePersistentDisk, b.gcePersistentDisk] as const;
  if (gce[0] && gce[1]) return gce[0].pdName === gce[1].pdName && !bothRead(gce[0], gce[1]);
  if (a.awsElasticBlockStore && b.awsElasticBlockStore)
    return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID;
  if (a.iscsi && b.iscsi) return a.iscsi.iqn === b.iscsi.iqn && !bothRead(a.iscsi, b.iscsi);
  if (!a.rbd || !b.rbd) return false;
  const {monitors, image, pool = 'rbd'} = a.rbd;
  const same = b.rbd.monitors.some(each => monitors.includes(each)) && b.rbd.image === image && (b.rbd.pool ?? 'rbd') === pool;
  return same && !bothRead(a.rbd, b.rbd);
}
