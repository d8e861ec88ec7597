// Binding the volumes of a pod before the pod itself. Volumes that were chosen get the claim's reference; claims that a
// provisioner is to serve get the node's name. Then the volume controller and the provisioner do their part, and the claims are
// looked at every second until all are bound, at most ten minutes long.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {boundVolume, isClaimBound, SELECTED_NODE} from '../../../api/meta/volume-match.ts';
import {update} from '../../../client/verbs.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {Context, Errand, PreBinding} from '../framework.ts';
import {reaches} from './volume-claims.ts';

/** What the waiting claims of a pod get on its node. */
export interface VolumePlan {
  readonly bindings: readonly {readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume}[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

interface How {
  readonly node: string;
  readonly plan: VolumePlan;
  readonly timeoutMs: number;
}

const volumes = builtin('persistentvolumes');
const claims = builtin('persistentvolumeclaims');
const LOOK_EVERY_MS = 1000;

/** The errand for a pod's volumes. */
export function preBindVolumes(context: Context, how: How): PreBinding {
  const takes = new Map<string, {readonly volume?: string}>();
  for (const {claim, volume} of how.plan.bindings) {
    takes.set(`volume ${volume.metadata.name}`, {});
    takes.set(keyFor(claim), {volume: volume.metadata.name});
  }
  for (const claim of how.plan.provisions) takes.set(keyFor(claim), {});
  return {takes, carryOut: errand => bindVolumes(context, how, errand)};
}

function keyFor({metadata}: PersistentVolumeClaim): string {
  return `claim ${metadata.namespace}/${metadata.name}`;
}

function* bindVolumes(context: Context, how: How, errand: Errand): Task<string | undefined> {
  const {client} = errand;
  for (const {claim, volume} of how.plan.bindings) {
    const wanted = boundVolume(volume, claim);
    const result = wanted === volume ? undefined : yield* client.ask(update(volumes, wanted));
    if (result && !result.ok) return `binding volumes: ${result.status.message}`;
  }
  for (const claim of how.plan.provisions) {
    if (claim.metadata.annotations?.[SELECTED_NODE] === how.node) continue;
    const annotations = {...claim.metadata.annotations, [SELECTED_NODE]: how.node};
    const result = yield* client.ask(update(claims, {...claim, metadata: {...claim.metadata, annotations}}));
    if (!result.ok) return `binding volumes: ${result.status.message}`;
  }
  const failed = yield* untilBound(context, how, errand);
  return failed === undefined ? undefined : `binding volumes: ${failed}`;
}

function* untilBound(context: Context, how: How, {client, news, isOver}: Errand): Task<string | undefined> {
  const {clock} = client.daemon;
  const began = clock.now;
  const end = began + how.timeoutMs;
  while (!isOver()) {
    const next = began + LOOK_EVERY_MS * (Math.floor((clock.now - began) / LOOK_EVERY_MS) + 1);
    yield* sleep(Math.min(next, end) - clock.now);
    const left = stillMissing(context, how);
    if (left !== 'wait') return left === 'bound' ? undefined : left.failed;
    if (clock.now >= end) return 'context deadline exceeded';
    yield* news(end - clock.now);
  }
  return undefined;
}

/** How far the claims have come. */
function stillMissing({cluster}: Context, {node, plan}: How): 'bound' | 'wait' | {readonly failed: string} {
  const {lookups} = cluster;
  const place = cluster.node(node);
  if (!place) return {failed: `failed to get node ${JSON.stringify(node)}: node ${JSON.stringify(node)} not found`};
  let waits = false;
  for (const {claim, volume} of plan.bindings) {
    const latest = lookups.volume(volume.metadata.name);
    if (!latest) return {failed: `persistentvolume ${JSON.stringify(volume.metadata.name)} not found`};
    if (!reaches(place, latest))
      return {failed: `pv ${JSON.stringify(volume.metadata.name)} node affinity doesn't match node ${JSON.stringify(node)}`};
    const asked = lookups.claim(claim.metadata.namespace ?? '', claim.metadata.name);
    if (!asked) return {failed: `persistentvolumeclaim ${JSON.stringify(claim.metadata.name)} not found`};
    if (!latest.spec?.claimRef?.uid && latest.metadata.resourceVersion !== volume.metadata.resourceVersion)
      return {failed: `ClaimRef got reset for pv ${JSON.stringify(volume.metadata.name)}`};
    if (!isClaimBound(asked)) waits = true;
  }
  for (const {metadata} of plan.provisions) {
    const claim = lookups.claim(metadata.namespace ?? '', metadata.name);
    if (!claim) return {failed: `persistentvolumeclaim ${JSON.stringify(metadata.name)} not found`};
    if (isClaimBound(claim)) {
      const volume = lookups.volume(claim.spec?.volumeName ?? '');
      if (volume && !reaches(place, volume))
        return {
          failed: `PV ${JSON.stringify(volume.metadata.name)} node affinity doesn't match node ${JSON.stringify(node)}: no matching NodeSelectorTerms`,
        };
      if (!volume) waits = true;
      continue;
    }
    waits = true;
    const old = claim.metadata.resourceVersion === metadata.resourceVersion;
    if (!old && claim.metadata.annotations?.[SELECTED_NODE] !== node)
      return {failed: `provisioning failed for PVC ${JSON.stringify(metadata.name)}`};
  }
  return waits ? 'wait' : 'bound';
}
