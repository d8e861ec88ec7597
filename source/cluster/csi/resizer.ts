// The external resizer: makes the disk of a claim larger when the claim asks for more than it has. The file system on it is the
// kubelet's part, on the node where the disk is:
//
//     ControllerResizeInProgress ─► the disk and the volume are larger ─► NodeResizePending ─► (kubelet) ─► the claim's capacity
import type {PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimCondition} from '../../api/kinds/core-v1.ts';
import {DISK_DRIVER} from '../../api/meta/disk-driver.ts';
import {keyOf} from '../../api/meta/object.ts';
import {compareQuantities, unitValue} from '../../api/meta/quantity.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Informer} from '../../client/informer.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import {sleep, type Task} from '../../sim/task.ts';
import {Patience, refusalText, startPart, type Part, type PartOptions} from './context.ts';

const claims = builtin('persistentvolumeclaims');
const volumes = builtin('persistentvolumes');
const GROWING_MS = 500;

/** Starts the resizer. */
export function startResizer(options: PartOptions): void {
  const component = `external-resizer ${DISK_DRIVER}`;
  startPart(options, {name: 'csi-resizer', component}, part => {
    const informer = part.informers.of<PersistentVolumeClaim>(claims);
    const known = part.informers.of<PersistentVolume>(volumes);
    const patience = new Patience();
    const queue = part.queue({reconcile: key => resize(part, {claims: informer, volumes: known, patience}, key)});
    const look = (claim: PersistentVolumeClaim): void => {
      if (wishOf(claim) !== undefined) queue.add(keyOf(claim));
    };
    informer.on({added: look, updated: look});
  });
}

/** What a bound claim asks for beyond what it has, while nobody has begun to see to it. */
function wishOf({spec, status}: PersistentVolumeClaim): string | undefined {
  const wanted = spec?.resources?.requests?.['storage'];
  const has = status?.capacity?.['storage'];
  if (status?.phase !== 'Bound' || wanted === undefined || has === undefined || compareQuantities(wanted, has) <= 0)
    return undefined;
  const isPending = status.allocatedResourceStatuses?.['storage']?.startsWith('NodeResize') === true;
  const promised = status.allocatedResources?.['storage'];
  return isPending && promised !== undefined && compareQuantities(wanted, promised) <= 0 ? undefined : String(wanted);
}

interface Known {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly patience: Patience;
}

function* resize(part: Part, known: Known, key: string): Task<Outcome> {
  const {client, recorder, disks, daemon} = part;
  const claim = known.claims.get(key);
  const wanted = claim && wishOf(claim);
  const volume = claim && known.volumes.get(claim.spec?.volumeName ?? '');
  if (!claim || wanted === undefined || volume?.spec?.csi?.driver !== DISK_DRIVER) return undefined;
  const {name} = volume.metadata;
  const begun = yield* client.ask<PersistentVolumeClaim>(
    update(claims, withProgress(claim, wanted, {phase: 'ControllerResizeInProgress', now: daemon.now()}), 'status'),
  );
  if (!begun.ok) return begun.status.code === 404 ? undefined : 'again';
  recorder.record(claim, {type: 'Normal', reason: 'Resizing', message: `External resizer is resizing volume ${name}`});
  yield* sleep(GROWING_MS);
  const handle = volume.spec.csi.volumeHandle;
  const refused = disks.grow(handle, unitValue(wanted));
  if (refused) {
    const message = `resize volume ${JSON.stringify(name)} by resizer ${JSON.stringify(DISK_DRIVER)} failed: ${refusalText(refused, handle)}`;
    recorder.record(claim, {type: 'Warning', reason: 'VolumeResizeFailed', message});
    return known.patience.failed(key);
  }
  known.patience.forget(key);
  const capacity = {...volume.spec.capacity, storage: wanted};
  const grown = yield* client.ask(update(volumes, {...volume, spec: {...volume.spec, capacity}}));
  if (!grown.ok) return 'again';
  const told = yield* client.ask(
    update(claims, withProgress(begun.value, wanted, {phase: 'NodeResizePending', now: daemon.now()}), 'status'),
  );
  if (!told.ok) return told.status.code === 404 ? undefined : 'again';
  recorder.record(claim, {
    type: 'Normal',
    reason: 'FileSystemResizeRequired',
    message: 'Require file system resize of volume on node',
  });
  return undefined;
}

/** The claim's status on its way to a larger size. */
export function withProgress(
  claim: PersistentVolumeClaim,
  wanted: string,
  {phase, now}: {readonly phase: 'ControllerResizeInProgress' | 'NodeResizePending'; readonly now: string},
): PersistentVolumeClaim {
  const status = claim.status ?? {};
  const condition: PersistentVolumeClaimCondition =
    phase === 'NodeResizePending'
      ? {
          type: 'FileSystemResizePending',
          status: 'True',
          lastTransitionTime: now,
          message: 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.',
        }
      : {type: 'Resizing', status: 'True', lastTransitionTime: now};
  const others = (status.conditions ?? []).filter(({type}) => type !== 'Resizing' && type !== 'FileSystemResizePending');
  return {
    ...claim,
    status: {
      ...status,
      allocatedResources: {...status.allocatedResources, storage: wanted},
      allocatedResourceStatuses: {...status.allocatedResourceStatuses, storage: phase},
      conditions: [...others, condition],
    },
  };
}
