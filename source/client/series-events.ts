// Events as the scheduler and the API server's own controllers write them: through events.k8s.io/v1, where the same news about the same version of an object is a
// series. The first time an Event is created; the second time it gets a series with count 2 at once; further times are only
// counted, and written when the series has been silent for six minutes, or every thirty.
//
// The key of a series has the object's resourceVersion and not the text: a pod whose condition was patched in between starts a
// new Event even with the same words.
import type {Event} from '../api/kinds/events-v1.ts';
import type {ObjectReference} from '../api/kinds/core-v1.ts';
import type {KubeObject} from '../api/meta/object.ts';
import {builtin} from '../api/meta/resources.ts';
import {formatMicroTime} from '../api/meta/time.ts';
import type {Request} from '../api/wire/http.ts';
import type {Daemon} from '../sim/daemon.ts';
import {create, patch} from './verbs.ts';

/** Where events are sent: to a server, as a rule. */
export interface EventSink {
  readonly daemon: Daemon;
  send(request: Request): void;
}

/** What happened to an object. */
export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly related?: KubeObject;
  /** It can never happen to the object again, so nothing is remembered of it. */
  readonly once?: boolean;
}

interface Series {
  readonly name: string;
  readonly namespace: string;
  count: number;
  /** Of the last time, as the machine's clock showed it, and by the virtual clock. */
  observed: string;
  at: number;
  /** The count that the server knows. */
  written: number;
}

const SILENCE_MS = 6 * 60_000;
const REFRESH_MS = 30 * 60_000;
const LONGEST_NOTE = 1024;
const events = builtin('events.k8s.io', 'events');

/** Writes the events of one profile. */
export class SeriesRecorder {
  readonly #client: EventSink;
  readonly #controller: string;
  readonly #series = new Map<string, Series>();
  #watching = false;
  #refreshed = 0;
  #lastNanos = 0n;

  constructor(client: EventSink, controller: string) {
    this.#client = client;
    this.#controller = controller;
  }

  /** Writes, or counts, an event about an object. */
  record(object: KubeObject, happening: Happening): void {
    const {daemon} = this.#client;
    const regarding = referenceTo(object);
    const key = [
      happening.type,
      happening.action,
      happening.reason,
      regarding.uid,
      regarding.resourceVersion,
      happening.related?.metadata.uid,
    ].join('|');
    const known = this.#series.get(key);
    const observed = formatMicroTime(daemon.wall());
    if (!known) {
      const series = {
        name: this.#nameFor(object),
        namespace: regarding.namespace ?? 'default',
        count: 1,
        observed,
        at: daemon.clock.now,
        written: 1,
      };
      this.#client.send(create(events, this.#eventOf(series, regarding, happening)));
      if (!happening.once) this.#remember(key, series);
      return;
    }
    known.count++;
    known.observed = observed;
    known.at = daemon.clock.now;
    if (known.count === 2) this.#write(known);
  }

  #eventOf(
    series: Series,
    regarding: ObjectReference,
    {type, reason, action, note, related}: Happening,
  ): Omit<Event, 'metadata'> & {metadata: {name: string; namespace: string}} {
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: {name: series.name, namespace: series.namespace},
      eventTime: series.observed,
      reportingController: this.#controller,
      reportingInstance: `${this.#controller}-${this.#client.daemon.host}`,
      action,
      reason,
      regarding,
      ...(related ? {related: referenceTo(related)} : {}),
      note: shortened(note),
      type,
    };
  }

  #write(series: Series): void {
    series.written = series.count;
    const body = {series: {count: series.count, lastObservedTime: series.observed}};
    this.#client.send(patch(events, series, 'strategic', body));
  }

  #remember(key: string, series: Series): void {
    this.#series.set(key, series);
    if (this.#watching) return;
    this.#watching = true;
    this.#client.daemon.scope.after(SILENCE_MS, () => this.#sweep());
  }

  /** Ends silent series, and goes on as long as there are any. */
  #sweep(): void {
    const {clock, scope} = this.#client.daemon;
    const refresh = clock.now - this.#refreshed >= REFRESH_MS;
    if (refresh) this.#refreshed = clock.now;
    for (const [key, series] of this.#series) {
      const silent = clock.now - series.at >= SILENCE_MS;
      if ((silent || refresh) && series.count > series.written) this.#write(series);
      if (silent) this.#series.delete(key);
    }
    this.#watching = this.#series.size > 0;
    if (this.#watching) scope.after(SILENCE_MS, () => this.#sweep());
  }

  /** The object's name and the nanosecond, in hexadecimal; two at one instant differ. */
  #nameFor(object: KubeObject): string {
    const now = BigInt(Math.floor(this.#client.daemon.wall() * 1000)) * 1000n;
    this.#lastNanos = now > this.#lastNanos ? now : this.#lastNanos + 1n;
    return `${object.metadata.name}.${this.#lastNanos.toString(16)}`;
  }
}

function referenceTo({apiVersion, kind, metadata}: KubeObject): ObjectReference {
  const {namespace, name, uid, resourceVersion} = metadata;
  return {apiVersion, kind, name, uid, resourceVersion, ...(namespace ? {namespace} : {})};
}

function shortened(note: string): string {
  return note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE - 4)} ...` : note;
}
