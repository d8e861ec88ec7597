// The ephemeral volume controller: a pod's own volumes get their claims, which the pod owns, so that they go with it.
import type {PersistentVolumeClaim, Pod, Volume} from '../../../api/kinds/core-v1.ts';
import {controllerOf, keyOf} from '../../../api/meta/object.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {create} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';

const claims = builtin('persistentvolumeclaims');

/** Makes the claims. */
export const ephemeralVolumeController: Controller = {
  name: 'ephemeral-volume-controller',
  account: 'ephemeral-volume-controller',
  component: 'ephemeral_volume',
  start: context => {
    const {pods} = podIndexes(context.informers);
    const informer = context.informers.of<PersistentVolumeClaim>(claims);
    const queue = context.queue({reconcile: key => sync(context, pods.get(key), name => informer.get(name))});
    pods.on({
      added: pod => {
        if (pod.spec.volumes?.some(isOwn)) queue.add(keyOf(pod));
      },
    });
    informer.on({
      deleted: claim => {
        const owner = controllerOf(claim);
        if (owner?.kind === 'Pod') queue.add(`${claim.metadata.namespace}/${owner.name}`);
      },
    });
  },
};

function isOwn({ephemeral}: Volume): boolean {
  return ephemeral !== undefined;
}

function* sync(
  {client, recorder}: Context,
  pod: Pod | undefined,
  claimOf: (key: string) => PersistentVolumeClaim | undefined,
): Task<Outcome> {
  if (!pod || isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  for (const volume of pod.spec.volumes?.filter(isOwn) ?? []) {
    const wanted = claimFor(pod, volume);
    const known = claimOf(keyOf(wanted));
    if (known && controllerOf(known)?.uid === pod.metadata.uid) continue;
    const why = known
      ? `PVC ${keyOf(known)} was not created for pod ${keyOf(pod)} (pod is not owner)`
      : yield* make(client, wanted);
    if (why === undefined) continue;
    recorder.record(pod, {type: 'Warning', reason: 'FailedBinding', message: `ephemeral volume ${volume.name}: ${why}`});
    return 'again';
  }
  return undefined;
}

function* make(client: Context['client'], claim: PersistentVolumeClaim): Task<string | undefined> {
  const result = yield* client.ask(create(claims, claim));
  return result.ok ? undefined : `create PVC ${claim.metadata.name}: ${result.status.message}`;
}

/** The claim of a pod's own volume. */
export function claimFor({metadata}: Pod, {name, ephemeral}: Volume): PersistentVolumeClaim {
  const {labels, annotations} = ephemeral?.volumeClaimTemplate?.metadata ?? {};
  const owner = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `${metadata.name}-${name}`,
      namespace: metadata.namespace,
      ...(labels ? {labels} : {}),
      ...(annotations ? {annotations} : {}),
      ownerReferences: [owner],
    },
    spec: ephemeral?.volumeClaimTemplate?.spec ?? {},
  } as unknown as PersistentVolumeClaim;
}
