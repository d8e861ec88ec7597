// Watches. A watch from a resourceVersion gets every later event, from the cache's history and then as they come; one without, or
// from `0`, first gets what is there as ADDED. It ends when its time is up, when the client goes, or when the cache had to begin
// anew. Answers that have no history any more are an ERROR frame with the Status 410, and the end.
import {forbiddenField} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, expired, invalidObject, plainError} from '../../../api/meta/status.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {CacheEvent} from '../cache/event.ts';
import type {Bookmarked} from '../cache/bookmarks.ts';
import type {Watcher} from '../cache/watchers.ts';
import type {Core} from '../core.ts';
import type {Converter} from '../crd/converter.ts';
import {isTrue} from '../http/info.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import type {Selection} from '../http/selection.ts';
import {shapeOf, type Showing} from '../http/show.ts';
import type {Stream} from '../http/stream.ts';
import {awaitVersion, versionError} from './list.ts';

export interface WatchWish {
  readonly namespace: string;
  readonly selection: Selection;
  readonly query: Readonly<Record<string, string>>;
  readonly showing: Showing;
}

const LEAST_SECONDS = 1800;
const INITIAL_END = Object.freeze({'k8s.io/initial-events-end': 'true'});

/** Opens a watch on a stream; refused when the wish makes no sense. */
export function* openWatch(core: Core, stream: Stream, wish: WatchWish): Task<Refused | undefined> {
  const {query} = wish;
  const version = query['resourceVersion'] ?? '';
  const problem = checkOptions(query);
  if (problem) return problem;
  if (version !== '' && !/^\d+$/.test(version)) return refuse(plainError(versionError(version)));
  const initial = isTrue(query['sendInitialEvents']);
  if (initial || version === '' || !core.feed.isFilled) {
    const ready = yield* awaitVersion(core, initial && version !== '' && version !== '0' ? version : '');
    if (ready) return ready;
  }
  new Session(core, stream, wish).begin(version, initial);
  return undefined;
}

function checkOptions(query: Readonly<Record<string, string>>): Refused | undefined {
  const wrong = (detail: string): Refused =>
    refuse(invalidObject({group: 'meta.k8s.io', kind: 'ListOptions'}, '', [forbiddenField('resourceVersionMatch', detail)]));
  const match = query['resourceVersionMatch'] ?? '';
  if (query['sendInitialEvents'] !== undefined) {
    if (match !== 'NotOlderThan') return wrong('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    return undefined;
  }
  if (match !== '') return wrong('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  const seconds = query['timeoutSeconds'];
  if (seconds !== undefined && !/^[-+]?\d+$/.test(seconds))
    return refuse(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`));
  return undefined;
}

/** A bookmark of a watch of tables. */
function emptyTable(metadata: object): unknown {
  return {kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: null, rows: []};
}

/** A frame to come, with an object as it is stored. */
interface Waiting extends WatchEvent {
  /** The object is as it is stored, and is to be put into its form. */
  readonly isStored?: boolean;
  readonly converter?: Converter;
}

/** So many objects are put into their form in one go; then others have their turn. */
const A_GO = 250;
const PAUSE_MS = 0.1;

/** One open watch. */
class Session implements Watcher, Bookmarked {
  readonly namespace: string;
  readonly selection: Selection;
  readonly #core: Core;
  readonly #stream: Stream;
  readonly #showing: Showing;
  readonly #wish: WatchWish;
  readonly #plain: boolean;
  #since = 0;
  #told = 0;
  #headers = true;
  #over = false;
  /** What waits for a webhook that converts it, or for its turn; in order. */
  readonly #waiting: Waiting[] = [];

  constructor(core: Core, stream: Stream, wish: WatchWish) {
    this.#core = core;
    this.#stream = stream;
    this.#wish = wish;
    this.#showing = wish.showing;
    this.namespace = wish.namespace;
    this.selection = wish.selection;
    this.#plain = wish.showing.form.as === 'object' && !wish.showing.served.conversion;
  }

  begin(version: string, initial: boolean): void {
    const {cache} = this.#showing.served;
    const {daemon, feed, bookmarks} = this.#core;
    this.#stream.open(json(200, undefined));
    const asked = Number(this.#wish.query['timeoutSeconds'] ?? 0);
    // Its time is up before it begins.
    if (asked < 0) return this.#stream.end();
    const from = version === '' || version === '0' || initial ? feed.revision : Number(version);
    if (from < cache.history.since) {
      this.#send({type: 'ERROR', object: expired(`too old resource version: ${from} (${cache.history.since})`)});
      this.#stream.end();
      return;
    }
    this.#since = from;
    if (version === '' || version === '0' || initial) this.#sendState();
    if (initial) this.#sendBookmark(feed.revision, INITIAL_END);
    for (const event of cache.history.after(from)) if (this.#concerns(event)) this.hear(event);
    cache.watchers.add(this);
    const takesBookmarks = isTrue(this.#wish.query['allowWatchBookmarks']);
    if (takesBookmarks) bookmarks.add(this);
    const seconds = asked > 0 ? asked : LEAST_SECONDS + daemon.dice.below(LEAST_SECONDS);
    const timer = daemon.scope.after(seconds * 1000, () => this.end());
    this.#stream.onCancel(() => {
      daemon.clock.cancel(timer);
      this.#leave();
    });
  }

  hear(event: CacheEvent): void {
    if (event.revision <= this.#since) return;
    const {matches} = this.selection;
    const frame = matches ? event.selected(matches) : event.plain();
    if (!frame) return;
    this.#told = event.revision;
    if (this.#plain) this.#stream.send(frame);
    else this.#tell(frame.type, frame.object as AnyObject, frame);
  }

  /** Events of other namespaces are kept from live watches by their index; those of the past are not. */
  #concerns(event: CacheEvent): boolean {
    return this.namespace === '' || event.key.startsWith(`${this.namespace}/`);
  }

  bookmark(revision: number): void {
    if (revision > this.#told) this.#sendBookmark(revision);
  }

  end(): void {
    if (this.#over) return;
    this.#leave();
    this.#stream.end();
  }

  #leave(): void {
    this.#over = true;
    this.#showing.served.cache.watchers.remove(this);
    this.#core.bookmarks.remove(this);
  }

  #sendState(): void {
    const {served} = this.#showing;
    const {matches, name, node} = this.selection;
    const {cache} = served;
    const objects =
      node && served.prefix === '/registry/pods/' ? [...cache.onNode(node).values()].map(cell => cell.object) : undefined;
    const one = name === undefined ? undefined : cache.get(served.facts.namespaced ? `${this.namespace}/${name}` : name);
    const all =
      objects ?? (name !== undefined && (this.namespace !== '' || !served.facts.namespaced) ? (one ? [one] : []) : undefined);
    const found = all ?? cache.keys(served.facts.namespaced ? this.namespace : '').map(key => cache.get(key));
    const meant = found.filter(
      object => object && (this.namespace === '' || object.metadata.namespace === this.namespace) && (matches?.(object) ?? true),
    ) as readonly AnyObject[];
    if (this.#plain || served.converter || meant.length <= A_GO) for (const object of meant) this.#tell('ADDED', object);
    else this.#wait(...meant.map((object): Waiting => ({type: 'ADDED', object, isStored: true})));
  }

  #sendBookmark(revision: number, annotations?: Readonly<Record<string, string>>): void {
    this.#told = revision;
    const {facts} = this.#showing.served;
    const apiVersion = facts.group === '' ? facts.version : `${facts.group}/${facts.version}`;
    const metadata = {resourceVersion: String(revision), ...(annotations ? {annotations} : {})};
    const object = {kind: facts.kind, apiVersion, metadata} as unknown as AnyObject;
    const frame: WatchEvent = {type: 'BOOKMARK', object: this.#showing.form.as === 'table' ? emptyTable(metadata) : object};
    if (this.#waiting.length > 0) this.#wait(frame);
    else this.#send(frame);
  }

  /** Sends an object in its form: at once, or when the webhook has converted it and all that came before. */
  #tell(type: WatchEvent['type'], object: AnyObject, rest?: WatchEvent): void {
    const {converter} = this.#showing.served;
    if (!converter && this.#waiting.length === 0) return this.#send({...rest, type, object: this.#shape(object)});
    this.#wait({...rest, type, object, isStored: true, ...(converter ? {converter} : {})});
  }

  #wait(...frames: readonly Waiting[]): void {
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...frames);
    if (isFirst) this.#core.daemon.scope.run(this.#sendWaiting(), () => undefined);
  }

  *#sendWaiting(): Task {
    let sent = 0;
    for (let [next] = this.#waiting; next && !this.#over; [next] = this.#waiting) {
      if (++sent % A_GO === 0) yield* sleep(PAUSE_MS);
      const {converter, isStored, ...frame} = next;
      const object = frame.object as AnyObject;
      const problem: Refused | undefined = converter && (yield* converter.prepare([object]));
      this.#waiting.shift();
      if (this.#over) return;
      if (problem) {
        this.#send({type: 'ERROR', object: problem.status});
        return this.end();
      }
      this.#send(isStored === true ? {...frame, object: this.#shape(object)} : frame);
    }
  }

  #shape(object: AnyObject): unknown {
    if (this.#plain) return object;
    const shaped = shapeOf({...this.#showing, nowMs: this.#core.daemon.wall()}, object, this.#headers);
    this.#headers = false;
    return shaped;
  }

  #send(frame: WatchEvent): void {
    this.#stream.send(frame);
  }
}
