// The store against a model that keeps every revision as a whole copy, and the tables of what transactions and ranges say.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {KeyValue, Operation, OperationAnswer, Request, TransactionAnswer, WatchedEvent} from '../../api/wire/etcd.ts';
import {Backend} from './backend.ts';
import {Membership} from './membership.ts';
import {applyProposal, type Effects} from './applier.ts';
import {type Command, proposalOf} from './proposal.ts';
import {range, refuseAtOnce} from './transaction.ts';
import {isRefusal} from './refusals.ts';

const header = (revision: number) => ({clusterId: 'c', memberId: 'm', revision, term: 1});

const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';

function bench(backend = new Backend(new Membership('c', [])), events: WatchedEvent[] = []) {
  const nothing = () => {};
  const effects: Effects = {
    header,
    changed: event => events.push(event),
    leaseGranted: nothing,
    leaseRevoked: nothing,
    compacted: nothing,
    full: nothing,
  };
  return {
    backend,
    events,
    apply: (command: Command) =>
      applyProposal(backend, proposalOf(command, 7), effects) as OperationAnswer & {error?: {message: string}},
    range: (request: Omit<Extract<Request, {kind: 'range'}>, 'kind'>) => {
      const answer = range({store: backend.store, leases: backend.leases, header}, {kind: 'range', ...request});
      return isRefusal(answer) ? answer.error.message : answer;
    },
  };
}

// ---- the model: at each revision a whole copy of all keys.

class Model {
  readonly past = new Map<number, Map<string, KeyValue>>([[1, new Map()]]);
  revision = 1;
  compacted = 0;

  write(change: (keys: Map<string, KeyValue>, revision: number) => boolean): void {
    const keys = new Map(this.past.get(this.revision));
    if (!change(keys, this.revision + 1)) return;
    this.past.set(++this.revision, keys);
  }

  put(keys: Map<string, KeyValue>, key: string, {value, revision}: {value: unknown; revision: number}): void {
    const known = keys.get(key);
    const version = (known?.version ?? 0) + 1;
    keys.set(key, {key, value, createRevision: known?.createRevision ?? revision, modRevision: revision, version, lease: 0});
  }

  range(from: string, to: string, at: number): KeyValue[] {
    const keys = this.past.get(at) ?? new Map<string, KeyValue>();
    return [...keys.values()].filter(({key}) => key >= from && key < to).sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
type Step =
  | {do: 'put'; key: string; value: number}
  | {do: 'delete'; key: string; end: string | undefined}
  | {do: 'txn'; key: string; expect: number; puts: string[]}
  | {do: 'compact'; back: number}
  | {do: 'image'};

const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 6, arbitrary: fc.record({do: fc.constant('put' as const), key, value: fc.nat(99)})},
  {weight: 2, arbitrary: fc.record({do: fc.constant('delete' as const), key, end: fc.option(key, {nil: undefined})})},
  {
    weight: 3,
    arbitrary: fc.record({do: fc.constant('txn' as const), key, expect: fc.nat(8), puts: fc.uniqueArray(key, {maxLength: 3})}),
  },
  {weight: 1, arbitrary: fc.record({do: fc.constant('compact' as const), back: fc.nat(4)})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('image' as const)})},
);

/** The store and the model side by side: what is done to one is done to the other. */
class Both {
  readonly model = new Model();
  readonly events: WatchedEvent[] = [];
  store = bench(undefined, this.events);

  play(each: Step): void {
    if (each.do === 'put') this.put(each.key, each.value);
    else if (each.do === 'delete') this.delete(each.key, each.end);
    else if (each.do === 'txn') this.transact(each);
    else if (each.do === 'compact') this.compact(this.model.revision - each.back);
    else this.store = bench(Backend.from(this.store.backend.image()), this.events);
  }

  put(key: string, value: unknown): void {
    this.store.apply({kind: 'put', key, value});
    this.model.write((keys, revision) => {
      this.model.put(keys, key, {value, revision});
      return true;
    });
  }

  delete(key: string, end: string | undefined): void {
    this.store.apply({kind: 'delete', key, ...(end === undefined ? {} : {end})});
    this.model.write(keys => {
      const gone = [...keys.keys()].filter(one => (end === undefined ? one === key : one >= key && one < end));
      for (const one of gone) keys.delete(one);
      return gone.length > 0;
    });
  }

  transact({key, expect: bound, puts}: Extract<Step, {do: 'txn'}>): void {
    const success = puts.map((one): Operation => ({kind: 'put', key: one, value: bound}));
    this.store.apply({kind: 'txn', compare: [{key, target: 'mod', is: '<', value: bound}], success, failure: []});
    this.model.write((keys, revision) => {
      if ((keys.get(key)?.modRevision ?? 0) >= bound) return false;
      for (const one of puts) this.model.put(keys, one, {value: bound, revision});
      return puts.length > 0;
    });
  }

  compact(revision: number): void {
    const {error} = this.store.apply({kind: 'compact', revision});
    if (revision > this.model.compacted) this.model.compacted = revision;
    else expect(error?.message).toBe(COMPACTED);
  }

  compareRanges(at: number): void {
    const {model, store} = this;
    for (const [key, end] of Object.entries({a: 'g', b: 'd', c: 'c'})) {
      const answer = store.range({key, end, revision: at});
      const kvs = model.range(key, end, at);
      if (at < model.compacted) expect(answer).toBe(COMPACTED);
      else expect(answer).toMatchObject({kvs, count: kvs.length});
    }
  }

  /** The events are the differences between one revision and the next. */
  compareEvents(): void {
    let last = 0;
    for (const {type, current, previous, cause} of this.events) {
      expect(current.modRevision).toBeGreaterThanOrEqual(last);
      last = current.modRevision;
      expect(previous).toEqual(this.model.past.get(last - 1)?.get(current.key));
      expect(type === 'delete' ? undefined : current).toEqual(this.model.past.get(last)?.get(current.key));
      expect(cause).toBe(7);
    }
  }
}

test('answers every range at every revision as a model that remembers everything', () => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 60}), steps => {
      const both = new Both();
      for (const each of steps) both.play(each);
      expect(both.store.backend.store.revision).toBe(both.model.revision);
      for (let at = 1; at <= both.model.revision; at++) both.compareRanges(at);
      both.compareEvents();
    }),
    {numRuns: 300},
  );
});

test('two members that apply the same proposal share what it made', () => {
  const [one, two] = [bench(), bench()];
  const proposal = proposalOf({kind: 'put', key: 'a', value: {n: 1}}, 0);
  const effects: Effects = {
    header,
    changed: () => {},
    leaseGranted: () => {},
    leaseRevoked: () => {},
    compacted: () => {},
    full: () => {},
  };
  applyProposal(one.backend, proposal, effects);
  applyProposal(two.backend, proposal, effects);
  expect(two.backend.store.at('a')).toBe(one.backend.store.at('a'));
});

test('a member with another past makes its own', () => {
  const [one, two] = [bench(), bench()];
  const proposal = proposalOf({kind: 'put', key: 'a', value: 1}, 0);
  two.apply({kind: 'put', key: 'a', value: 0});
  const effects: Effects = {
    header,
    changed: () => {},
    leaseGranted: () => {},
    leaseRevoked: () => {},
    compacted: () => {},
    full: () => {},
  };
  applyProposal(one.backend, proposal, effects);
  applyProposal(two.backend, proposal, effects);
  expect(two.backend.store.at('a')).toMatchObject({createRevision: 2, modRevision: 3, version: 2});
});

test.each([
  ['mod', '=', 2, true],
  ['mod', '>', 1, true],
  ['mod', '<', 2, false],
  ['mod', '!=', 3, true],
  ['create', '=', 2, true],
  ['version', '=', 1, true],
  ['version', '>', 1, false],
  ['value', '=', 'x', true],
  ['value', '!=', 'x', false],
  ['value', '<', 'y', true],
  ['lease', '=', 0, true],
] as const)('of a key with value x at revision 2, %s %s %s is %s', (target, is, value, holds) => {
  const {apply} = bench();
  apply({kind: 'put', key: 'a', value: 'x'});
  const answer = apply({kind: 'txn', compare: [{key: 'a', target, is, value}], success: [], failure: []}) as TransactionAnswer;
  expect(answer.succeeded).toBe(holds);
});

test.each([
  ['version', '=', 0, true],
  ['create', '=', 0, true],
  ['mod', '>', 0, false],
  ['value', '!=', 'x', false],
] as const)('of a key that is not there, %s %s %s is %s', (target, is, value, holds) => {
  const answer = bench().apply({
    kind: 'txn',
    compare: [{key: 'a', target, is, value}],
    success: [],
    failure: [],
  }) as TransactionAnswer;
  expect(answer.succeeded).toBe(holds);
});

test('a transaction reads what it has just written, and all it writes is one revision', () => {
  const {apply} = bench();
  const answer = apply({
    kind: 'txn',
    compare: [],
    success: [
      {kind: 'put', key: 'a', value: 1},
      {kind: 'range', key: 'a'},
      {kind: 'put', key: 'b', value: 2},
      {kind: 'delete', key: 'c'},
    ],
    failure: [],
  }) as TransactionAnswer;
  expect(answer.answers[1]).toMatchObject({kvs: [{key: 'a', value: 1, modRevision: 2}]});
  expect(answer.header.revision).toBe(2);
});

test.each<[string, Operation, string | undefined]>([
  ['an empty key', {kind: 'put', key: '', value: 1}, 'etcdserver: key is not provided'],
  [
    'a key put twice',
    {
      kind: 'txn',
      compare: [],
      success: [
        {kind: 'put', key: 'a', value: 1},
        {kind: 'put', key: 'a', value: 2},
      ],
      failure: [],
    },
    'etcdserver: duplicate key given in txn request',
  ],
  [
    'a key put and deleted',
    {
      kind: 'txn',
      compare: [],
      success: [
        {kind: 'put', key: 'b', value: 1},
        {kind: 'delete', key: 'a', end: 'c'},
      ],
      failure: [],
    },
    'etcdserver: duplicate key given in txn request',
  ],
  [
    'too much at once',
    {
      kind: 'txn',
      compare: [],
      success: Array.from({length: 129}, (_, i) => ({kind: 'put', key: `k${i}`, value: 1})),
      failure: [],
    },
    'etcdserver: too many operations in txn request',
  ],
  [
    'what is well',
    {kind: 'txn', compare: [], success: [{kind: 'put', key: 'a', value: 1}], failure: [{kind: 'put', key: 'a', value: 1}]},
    undefined,
  ],
])('%s is answered at once', (_, operation, message) => {
  expect(refuseAtOnce(operation)?.error.message).toBe(message);
});

test('a range is limited, counted, sorted and stripped as asked', () => {
  const {apply, range} = bench();
  for (const [key, value] of [
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ] as const)
    apply({kind: 'put', key, value});
  apply({kind: 'put', key: 'a', value: 4});
  const keys = (answer: ReturnType<typeof range>) =>
    typeof answer === 'string' ? answer : answer.kvs.map(kv => kv.key).join('');
  expect(keys(range({key: 'a', end: '\0'}))).toBe('abc');
  expect(keys(range({key: 'b', end: '\0'}))).toBe('bc');
  expect(range({key: 'a', end: 'd', limit: 2})).toMatchObject({more: true, count: 3, kvs: [{key: 'a'}, {key: 'b'}]});
  expect(range({key: 'a', end: 'd', countOnly: true})).toMatchObject({more: false, count: 3, kvs: []});
  expect(range({key: 'b', keysOnly: true})).toMatchObject({kvs: [{key: 'b', value: undefined, version: 1}]});
  expect(keys(range({key: 'a', end: 'd', order: {by: 'mod', descending: true}}))).toBe('acb');
  expect(keys(range({key: 'a', end: 'd', order: {by: 'value', descending: false}, limit: 2}))).toBe('bc');
  expect(range({key: 'a', revision: 99})).toBe('etcdserver: mvcc: required revision is a future revision');
});
