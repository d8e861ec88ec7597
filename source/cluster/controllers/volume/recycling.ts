// Recycling: a released volume of a path or of NFS is swept by a pod, and is free for the next claim. The pod has the volume's name,
// so that two controllers do not sweep at once; what is told of it is told of the volume too. It is ended whatever came of it, and
// a sweep that failed is tried again when the volume is looked at again.
import type {Event, PersistentVolume, Pod} from '../../../api/kinds/core-v1.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import type {Draft} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs} from '../../../client/client.ts';
import {create, remove, watch} from '../../../client/verbs.ts';
import {wait, type Task} from '../../../sim/task.ts';
import type {Context} from '../context.ts';

const pods = builtin('pods');
const events = builtin('events');
const NAMESPACE = 'default';
const IMAGE = 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6';
const SWEEP = 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1';
const GIBI = 2 ** 30;
/** For each gibibyte of a volume a sweep may take so long, and in all at least so long. */
const SECONDS_A_GIBI = 30;
const LEAST_SECONDS = {hostPath: 60, nfs: 300};

type Frame<T> = {readonly type: string; readonly object: T};

/** The pod that sweeps a volume. */
export function recyclerPod({metadata, spec}: PersistentVolume): Draft<Pod> {
  const {hostPath, nfs, capacity} = spec ?? {};
  const gibi = Math.floor(unitValue(capacity?.['storage']) / GIBI);
  const least = hostPath ? LEAST_SECONDS.hostPath : LEAST_SECONDS.nfs;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: `recycler-for-${metadata.name}`, namespace: NAMESPACE},
    spec: {
      activeDeadlineSeconds: Math.max(least, gibi * SECONDS_A_GIBI),
      restartPolicy: 'Never',
      volumes: [{name: 'vol', ...(hostPath ? {hostPath: {path: hostPath.path}} : nfs ? {nfs} : {})}],
      containers: [
        {
          name: 'pv-recycler',
          image: IMAGE,
          command: ['/bin/sh'],
          args: ['-c', SWEEP],
          volumeMounts: [{name: 'vol', mountPath: '/scrub'}],
        },
      ],
    },
  } as Draft<Pod>;
}

/** Sweeps a volume; what went wrong, if anything did. */
export function* sweep(context: Context, volume: PersistentVolume): Task<string | undefined> {
  const {client} = context;
  const pod = recyclerPod(volume);
  const place = {namespace: NAMESPACE, name: pod.metadata.name ?? ''};
  const made = yield* client.ask<Pod>(create(pods, pod));
  if (failedAs(made, 'AlreadyExists')) {
    const old = yield* client.ask(remove(pods, place));
    if (old.ok || failedAs(old, 'NotFound')) return 'old recycler pod found, will retry later';
    return `failed to delete old recycler pod ${NAMESPACE}/${place.name}: ${old.status.message}`;
  }
  if (!made.ok) return `unexpected error creating recycler pod:  ${made.status.message}`;
  const wrong = yield* theEnd(context, volume, made.value);
  const gone = yield* client.ask(remove(pods, place));
  if (wrong !== undefined) return `failed to recycle volume: ${wrong}`;
  return gone.ok || failedAs(gone, 'NotFound') ? undefined : `failed to delete recycler pod: ${gone.status.message}`;
}

/** Waits until the pod has ended, and passes on what is told of it. */
function* theEnd({client, recorder}: Context, volume: PersistentVolume, {metadata}: Pod): Task<string | undefined> {
  const {name} = metadata;
  return yield* wait<string | undefined>(wake => {
    let isOver = false;
    const end = (wrong: string | undefined) => {
      if (isOver) return;
      isOver = true;
      ofPod.cancel();
      ofEvents.cancel();
      wake(wrong);
    };
    const about = `involvedObject.kind=Pod,involvedObject.name=${name},involvedObject.uid=${metadata.uid}`;
    const ofEvents = client.stream<Frame<Event>>(
      watch(events, {namespace: NAMESPACE, fieldSelector: about, resourceVersion: '0'}),
      {
        answer: () => undefined,
        frame: ({type, object}) => {
          if (isOver || type !== 'ADDED') return;
          const message = `Recycler pod: ${object.message}`;
          recorder.record(volume, {type: object.type === 'Warning' ? 'Warning' : 'Normal', reason: 'RecyclerPod', message});
        },
        end: () => undefined,
      },
    );
    const ofPod = client.stream<Frame<Pod>>(
      watch(pods, {namespace: NAMESPACE, fieldSelector: `metadata.name=${name}`, resourceVersion: '0'}),
      {
        answer: result => {
          if (!result.ok) end(result.status.message);
        },
        frame: ({type, object}) => {
          const {phase, message} = object.status ?? {};
          if (type === 'DELETED') end('recycler pod was deleted');
          else if (phase === 'Succeeded') end(undefined);
          else if (phase === 'Failed') end(message || 'pod failed, pod.Status.Message unknown');
        },
        end: () => end(`recycler pod "${name}" watch channel had been closed`),
      },
    );
  });
}
