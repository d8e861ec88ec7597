// A single etcd member for tests: revisions, transactions, watches and leases' numbers, without raft, history or time.
import type {
  KeyValue,
  Operation,
  OperationAnswer,
  RangeRequest,
  TransactionRequest,
  WatchedEvent,
  WatchRequest,
} from '../../../api/wire/etcd.ts';
import type {Call, Network} from '../../../sim/network.ts';
import type {Clock} from '../../../sim/clock.ts';

interface Watch {
  readonly request: WatchRequest;
  readonly call: Call;
}

/** Keys and values; every answer takes half a millisecond. */
export class FakeEtcd {
  revision = 1;
  /** While true, it takes requests and does not answer, as a member without a leader. */
  silent = false;
  /** The kinds of requests that it takes and does not answer. */
  silentFor: readonly string[] = [];
  writes = 0;
  readonly keys = new Map<string, KeyValue>();
  readonly #watches = new Set<Watch>();
  readonly #clock: Clock;
  readonly #open: () => {close(): void} | undefined;
  #listening: {close(): void} | undefined;
  #history: {readonly revision: number; readonly events: readonly WatchedEvent[]}[] = [];
  #compacted = 0;
  #lease = 0;
  #sorted: string[] | undefined;

  constructor(network: Network, clock: Clock, address: string) {
    this.#clock = clock;
    this.#open = () => network.listen(address, 2379, call => this.#take(call));
    this.start();
  }

  /** It ends: its connections break, and nobody listens. Its data stay. */
  stop(): void {
    this.#listening?.close();
    this.#listening = undefined;
    this.#watches.clear();
  }

  start(): void {
    this.#listening = this.#open();
  }

  /** Forgets all events so far. */
  compact(): void {
    this.#compacted = this.revision;
    this.#history = [];
  }

  /** A write that no API server makes. */
  put(key: string, value: unknown): void {
    this.#run({kind: 'put', key, value});
  }

  #take(call: Call): void {
    if (this.silent) return;
    const request = call.request as Operation | WatchRequest | {kind: 'status'} | {kind: 'lease-grant'; ttlSeconds: number};
    if (this.silentFor.includes(request.kind)) return;
    if (request.kind === 'watch') {
      const watch = {request, call};
      this.#watches.add(watch);
      call.onCancel(() => this.#watches.delete(watch));
      call.open({header: this.#header()});
      const {from = this.revision + 1} = request;
      if (from <= this.#compacted) {
        call.send({revision: this.revision, events: [], compactRevision: this.#compacted});
        call.end();
        return;
      }
      for (const {revision, events} of this.#history) if (revision >= from) call.send({revision, events});
      return;
    }
    this.#clock.after(0.5, () => {
      if (request.kind === 'status') return call.answer({header: this.#header()});
      if (request.kind === 'lease-grant')
        call.answer({header: this.#header(), id: ++this.#lease, ttlSeconds: request.ttlSeconds});
      else call.answer(this.#run(request));
    });
  }

  #run(request: Operation): OperationAnswer {
    const events: WatchedEvent[] = [];
    const next = this.revision + 1;
    const answer = this.#apply(request, next, events);
    if (events.length > 0) {
      this.revision = next;
      this.writes++;
      this.#history.push({revision: next, events});
      for (const {call} of this.#watches) call.send({revision: next, events});
    }
    return {...answer, header: this.#header()} as OperationAnswer;
  }

  #apply(request: Operation, revision: number, events: WatchedEvent[]): OperationAnswer {
    const header = this.#header();
    if (request.kind === 'range') return {header, ...this.#range(request)};
    if (request.kind === 'txn') return this.#transact(request, revision, events);
    const previous = this.keys.get(request.key);
    const {cause} = this.#clock;
    if (!previous || request.kind === 'delete') this.#sorted = undefined;
    if (request.kind === 'delete') {
      if (previous) {
        this.keys.delete(request.key);
        events.push({type: 'delete', current: {...previous, value: undefined, modRevision: revision}, cause});
      }
      return {header, deleted: previous ? 1 : 0, previous: []};
    }
    const current: KeyValue = {
      key: request.key,
      value: request.value,
      createRevision: previous?.createRevision ?? revision,
      modRevision: revision,
      version: (previous?.version ?? 0) + 1,
      lease: request.lease ?? 0,
    };
    this.keys.set(request.key, current);
    events.push({type: 'put', current, cause});
    return {header};
  }

  #transact(request: TransactionRequest, revision: number, events: WatchedEvent[]): OperationAnswer {
    const succeeded = request.compare.every(({key, value}) => (this.keys.get(key)?.modRevision ?? 0) === value);
    const answers = (succeeded ? request.success : request.failure).map(each => this.#apply(each, revision, events));
    return {header: this.#header(), succeeded, answers};
  }

  #range(request: RangeRequest): {kvs: KeyValue[]; count: number; more: boolean} {
    if (request.end === undefined) {
      const kv = this.keys.get(request.key);
      return {kvs: kv && !request.countOnly ? [kv] : [], count: kv ? 1 : 0, more: false};
    }
    const {end} = request;
    this.#sorted ??= [...this.keys.keys()].sort();
    const found = this.#sorted.filter(key => key >= request.key && key < end);
    const shown = request.limit ? found.slice(0, request.limit) : found;
    return {kvs: shown.flatMap(key => this.keys.get(key) ?? []), count: found.length, more: shown.length < found.length};
  }

  #header() {
    return {clusterId: '1', memberId: '1', revision: this.revision, term: 1};
  }
}
