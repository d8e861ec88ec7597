// Writes the statuses of pods, one write of a pod at a time: what changes while one is under way goes out together afterwards.
// A write that failed is tried again with the newest status.
import type {Pod, PodStatus} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs, type Client} from '../../../client/client.ts';
import {patch, remove} from '../../../client/verbs.ts';
import {statusPatch} from './change.ts';

const pods = builtin('pods');
const RETRY_MS = 10_000;

interface Entry {
  pod: Pod;
  status: PodStatus;
  written: PodStatus | undefined;
  busy: boolean;
  /** The object that it is written on, where that is another than the pod: the picture of a static one. */
  shownOn: string | undefined;
  /** The pod's object is to be deleted once its last status is written. */
  last: boolean;
}

/** The statuses that one kubelet has to write. */
export class StatusWriter {
  readonly #client: Client;
  readonly #target: (pod: Pod) => Pod | undefined;
  readonly #entries = new Map<string, Entry>();

  /** `target`: the API's object of a pod; undefined when there is none (yet). */
  constructor(client: Client, target: (pod: Pod) => Pod | undefined = pod => pod) {
    this.#client = client;
    this.#target = target;
  }

  /** What the pod's status is to be, or was last. */
  statusOf(uid: string): PodStatus | undefined {
    return this.#entries.get(uid)?.status;
  }

  /** Wants a status written. */
  write(pod: Pod, status: PodStatus): void {
    const {uid} = pod.metadata;
    const entry = this.#entries.get(uid);
    if (!entry) this.#entries.set(uid, {pod, status, written: undefined, busy: false, shownOn: undefined, last: false});
    else {
      entry.pod = pod;
      if (!isSame(entry.status, status)) entry.status = status;
    }
    this.#flush(uid);
  }

  /** Somebody else has said whether the pod is Ready (the node controller, of a node that it had lost): it is put right. */
  heard(pod: Pod): void {
    const {uid} = pod.metadata;
    const entry = this.#entries.get(uid);
    if (!entry || entry.busy || entry.written !== entry.status || readyOf(pod.status) === readyOf(entry.status)) return;
    entry.pod = pod;
    entry.written = pod.status;
    this.#flush(uid);
  }

  /** The picture of a static pod is there, or says something else than it should. */
  show({metadata: {uid}}: Pod, mirror: Pod): void {
    const entry = this.#entries.get(uid);
    if (!entry || entry.busy) return;
    const isNew = entry.shownOn !== mirror.metadata.uid;
    if (!isNew && (entry.written !== entry.status || readyOf(mirror.status) === readyOf(entry.status))) return;
    entry.shownOn = mirror.metadata.uid;
    entry.written = undefined;
    this.#flush(uid);
  }

  /** Wants the object deleted, after its last status. */
  finish(pod: Pod): void {
    const entry = this.#entries.get(pod.metadata.uid);
    if (!entry) return;
    entry.last = true;
    this.#flush(pod.metadata.uid);
  }

  /** The pod is gone. */
  forget(uid: string): void {
    this.#entries.delete(uid);
  }

  #flush(uid: string): void {
    const entry = this.#entries.get(uid);
    if (!entry || entry.busy) return;
    if (entry.written !== entry.status) this.#patch(uid, entry);
    else if (entry.last) this.#delete(uid, entry);
  }

  #patch(uid: string, entry: Entry): void {
    const object = this.#target(entry.pod);
    if (!object) return;
    const {namespace, name, uid: own} = object.metadata;
    const {status} = entry;
    const changed = statusPatch(status, entry.written ?? object.status ?? {});
    if (Object.keys(changed).length === 0) {
      entry.written = status;
      return this.#flush(uid);
    }
    entry.busy = true;
    this.#client.send<Pod>(
      patch(pods, {namespace, name, subresource: 'status'}, 'strategic', {metadata: {uid: own}, status: changed}),
      result => {
        entry.busy = false;
        if (result.ok) {
          entry.written = status;
          this.#flush(uid);
        } else if (failedAs(result, 'NotFound') || failedAs(result, 'Conflict')) {
          if (own === uid) this.#entries.delete(uid);
          else entry.shownOn = undefined;
        } else this.#client.daemon.scope.after(RETRY_MS, () => this.#flush(uid));
      },
    );
  }

  #delete(uid: string, entry: Entry): void {
    const {namespace, name} = entry.pod.metadata;
    entry.busy = true;
    this.#client.send(remove(pods, {namespace, name}, {gracePeriodSeconds: 0, preconditions: {uid}}), result => {
      entry.busy = false;
      if (result.ok || failedAs(result, 'NotFound') || failedAs(result, 'Conflict')) this.#entries.delete(uid);
      else this.#client.daemon.scope.after(RETRY_MS, () => this.#flush(uid));
    });
  }
}

function readyOf(status: PodStatus | undefined): string | undefined {
  return status?.conditions?.find(condition => condition.type === 'Ready')?.status;
}

/** Would two statuses be the same on the wire? Most differ early, and parts are often the same object. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = Object.keys(a);
  if (left.length !== Object.keys(b).length) return false;
  return left.every(key => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
