// Events as components write them through the core API. Three things happen on the way, all by key and with bounded memory:
//
// - the same words about the same object again raise the count of the Event that is there (a patch, not a create);
// - more than ten different messages of one reason about one object within ten minutes become one, marked as combined;
// - one source may write 25 events about one object, and then one more every five minutes: what is over is dropped.
//
// Writing an event never holds up its component, and a write that fails is given up.
import type {Event, ObjectReference} from '../api/kinds/core-v1.ts';
import {builtin} from '../api/meta/resources.ts';
import type {KubeObject} from '../api/meta/object.ts';
import type {Client} from './client.ts';
import {create, patch} from './verbs.ts';

export interface EventRecorderOptions {
  readonly client: Client;
  /** As in `kubectl get events`: `kubelet`, `replicaset-controller`. */
  readonly component: string;
  /** The node, for a component of a node. */
  readonly host?: string;
}

/** What an event says. */
export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object that it is about, as `spec.containers{web}`. */
  readonly fieldPath?: string;
}

interface Written {
  readonly name: string;
  readonly namespace: string;
  count: number;
  /** A create is under way; what comes meanwhile is added to the count and sent afterwards. */
  pending: boolean;
  behind: boolean;
}

interface Similar {
  readonly messages: Set<string>;
  since: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const COMBINE_OVER = 10;
const COMBINE_WITHIN_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
const REMEMBERED = 4096;
/** A span of 68.7 seconds in microseconds: 2^36 nanoseconds. */
const SPAN = 2 ** 36 / 1000;
const LETTERS = 6;
const DIGITS = 10;
const events = builtin('events');

/** Writes events about objects. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #written = new Map<string, Written>();
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();
  #latest = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Writes, or counts, an event about an object. */
  record(object: KubeObject, happening: Happening): void {
    this.recordOn(referenceOf(object, happening.fieldPath), happening);
  }

  /** The same, for one who has only a reference. */
  recordOn(involved: ObjectReference, happening: Happening): void {
    const about = `${involved.kind}/${involved.namespace}/${involved.name}/${involved.uid}/${involved.apiVersion}`;
    if (!this.#allowed(about)) return;
    const group = `${about}/${involved.fieldPath}/${happening.type}/${happening.reason}`;
    const combined = this.#combines(group, happening.message);
    const key = combined ? group : `${group}/${happening.message}`;
    const message = combined ? `(combined from similar events): ${happening.message}` : happening.message;
    const known = this.#written.get(key);
    if (known) {
      this.#again(known, message);
      return;
    }
    this.#first(key, involved, {...happening, message});
  }

  #first(key: string, involved: ObjectReference, happening: Happening): void {
    const {client, component, host} = this.#options;
    const now = client.daemon.now();
    const namespace = involved.namespace ?? 'default';
    const written: Written = {name: [involved.name, this.#suffix()].join('.'), namespace, count: 1, pending: true, behind: false};
    remember(this.#written, key, written);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {name: written.name, namespace},
      involvedObject: involved,
      reason: happening.reason,
      message: happening.message,
      source: {component, ...(host ? {host} : {})},
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type: happening.type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
    client.send<Event>(create(events, event), result => {
      written.pending = false;
      if (!result.ok) this.#written.delete(key);
      else if (written.behind) this.#send(written, happening.message);
    });
  }

  #again(written: Written, message: string): void {
    written.count++;
    if (written.pending) written.behind = true;
    else this.#send(written, message);
  }

  #send(written: Written, message: string): void {
    const {client} = this.#options;
    written.behind = false;
    const body = {count: written.count, lastTimestamp: client.daemon.now(), message};
    client.send(patch(events, written, 'strategic', body), result => {
      if (result.ok || result.status.code !== 404) return;
      for (const [key, known] of this.#written) if (known === written) this.#written.delete(key);
    });
  }

  /** The end of an event's name, another each time. */
  #suffix(): string {
    this.#latest = Math.max(this.#latest + 1, Math.floor(this.#options.client.daemon.wall() * 1000));
    return eventSuffix(this.#latest);
  }

  #combines(group: string, message: string): boolean {
    const {now} = this.#options.client.daemon.clock;
    const known = this.#similar.get(group);
    if (!known || now - known.since > COMBINE_WITHIN_MS) {
      remember(this.#similar, group, {messages: new Set([message]), since: now});
      return false;
    }
    known.since = now;
    if (known.messages.size > COMBINE_OVER) return true;
    known.messages.add(message);
    return known.messages.size > COMBINE_OVER;
  }

  #allowed(about: string): boolean {
    const {now} = this.#options.client.daemon.clock;
    const bucket = this.#buckets.get(about) ?? {tokens: BURST, at: now};
    remember(this.#buckets, about, bucket);
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) / REFILL_MS);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }
}

/**
 * A moment in microseconds as sixteen hex digits, like the nanoseconds that a component would write. The first seven are those; the
 * others are letters and digits in turn, so that names sorted as kubectl sorts them (runs of digits as numbers) are in the order of time.
 */
export function eventSuffix(micros: number): string {
  const span = Math.floor(micros / SPAN);
  let rest = Math.floor(micros - span * SPAN);
  let text = '';
  for (let at = 0; at < 9; at++) {
    const isLetter = at % 2 === 0;
    const base = isLetter ? LETTERS : DIGITS;
    text = (isLetter ? 'abcdef' : '0123456789').charAt(rest % base) + text;
    rest = Math.floor(rest / base);
  }
  return span.toString(16).padStart(7, '0') + text;
}

/** A reference to an object, as events carry it. */
export function referenceOf(object: KubeObject, fieldPath?: string): ObjectReference {
  const {metadata} = object;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    ...(metadata.namespace ? {namespace: metadata.namespace} : {}),
    ...(fieldPath ? {fieldPath} : {}),
  };
}

/** Keeps a value, and drops the oldest of too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
