// Mirror pods: the API's picture of a node's static pods. The kubelet makes them, writes their status, and takes them away; who
// deletes or changes one changes nothing on the node, and finds it back as it was.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {isTerminating} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs, type Client} from '../../../client/client.ts';
import {create, remove} from '../../../client/verbs.ts';
import {isMirror, mirrorOf, mirrors} from './manifest-pod.ts';

const pods = builtin('pods');
const RETRY_MS = 5000;

export interface MirrorsOptions {
  readonly client: Client;
  readonly node: () => Node | undefined;
  /** Has the API said which pods it has? */
  readonly synced: () => boolean;
  /** There is a picture to write the status on, or another one than before. */
  readonly shown: (pod: Pod, mirror: Pod) => void;
}

/** The mirror pods of one node, by the name of what they show. */
export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #wanted = new Map<string, Pod>();
  readonly #found = new Map<string, Pod>();
  readonly #busy = new Set<string>();

  constructor(options: MirrorsOptions) {
    this.#options = options;
  }

  /** The picture of a static pod, where there is a true one. */
  of(pod: Pod): Pod | undefined {
    const mirror = this.#found.get(keyOf(pod));
    return mirror && mirrors(mirror, pod) && !isTerminating(mirror) ? mirror : undefined;
  }

  /** A static pod is to be shown. */
  want(pod: Pod): void {
    this.#wanted.set(keyOf(pod), pod);
    this.look(keyOf(pod));
  }

  /** It runs no more. */
  drop(pod: Pod): void {
    const key = keyOf(pod);
    if (this.#wanted.get(key)?.metadata.uid !== pod.metadata.uid) return;
    this.#wanted.delete(key);
    this.look(key);
  }

  /** The API has a pod of this node. True when it is a picture of another. */
  take(pod: Pod): boolean {
    if (!isMirror(pod)) return false;
    const key = keyOf(pod);
    if (!isOlder(pod, this.#found.get(key))) this.#found.set(key, pod);
    this.look(key);
    return true;
  }

  /** It has it no more. */
  lose(pod: Pod): boolean {
    if (!isMirror(pod)) return false;
    const key = keyOf(pod);
    if (this.#found.get(key)?.metadata.uid === pod.metadata.uid) this.#found.delete(key);
    this.look(key);
    return true;
  }

  /** Sees to all of them. */
  lookAtAll(): void {
    for (const key of new Set([...this.#wanted.keys(), ...this.#found.keys()])) this.look(key);
  }

  /** Makes the picture true: deletes a false one, creates what is missing. */
  look(key: string): void {
    if (this.#busy.has(key) || !this.#options.synced()) return;
    const wanted = this.#wanted.get(key);
    const found = this.#found.get(key);
    if (found && (!wanted || !mirrors(found, wanted) || isTerminating(found))) this.#delete(key, found);
    else if (wanted && !found) this.#create(key, wanted);
    else if (wanted && found) this.#options.shown(wanted, found);
  }

  #create(key: string, pod: Pod): void {
    const {client, node} = this.#options;
    const owner = node()?.metadata;
    if (!owner) return this.#again(key);
    this.#busy.add(key);
    client.send<Pod>(create(pods, mirrorOf(pod, {name: owner.name, uid: owner.uid})), result => {
      this.#busy.delete(key);
      if (result.ok) {
        this.take(result.value);
        return;
      }
      if (failedAs(result, 'AlreadyExists')) return this.#again(key);
      client.daemon.print(
        `E kubelet.go:3340] "Failed creating a mirror pod" err=${JSON.stringify(result.status.message ?? '')} pod="${key}"`,
      );
      this.#again(key);
    });
  }

  #delete(key: string, mirror: Pod): void {
    const {client} = this.#options;
    const {namespace, name, uid} = mirror.metadata;
    this.#busy.add(key);
    client.send(remove(pods, {namespace, name}, {gracePeriodSeconds: 0, preconditions: {uid}}), result => {
      this.#busy.delete(key);
      if (result.ok || failedAs(result, 'NotFound') || failedAs(result, 'Conflict')) {
        if (this.#found.get(key) === mirror) this.#found.delete(key);
        this.look(key);
      } else this.#again(key);
    });
  }

  #again(key: string): void {
    this.#options.client.daemon.scope.after(RETRY_MS, () => this.look(key));
  }
}

/** News may come after an answer that was newer. */
function isOlder({metadata}: Pod, known: Pod | undefined): boolean {
  return known !== undefined && Number(metadata.resourceVersion) < Number(known.metadata.resourceVersion);
}
