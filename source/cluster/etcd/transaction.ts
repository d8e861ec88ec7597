// What a request does to the store: ranges, puts, deletes, and transactions of them. All is checked first, so what has begun
// is finished; and all writes of one request share a revision.
import type {
  Compare,
  DeleteAnswer,
  DeleteRequest,
  Header,
  KeyValue,
  Operation,
  OperationAnswer,
  PutAnswer,
  PutRequest,
  RangeAnswer,
  RangeRequest,
  Refusal,
  TransactionAnswer,
  TransactionRequest,
} from '../../api/wire/etcd.ts';
import {unreachable} from '../../sim/assert.ts';
import type {Leases} from './leases.ts';
import {isRefusal, refusals} from './refusals.ts';
import {isWithin, type Store, type Writing} from './store.ts';

/** Operations in one transaction at most (`--max-txn-ops`). */
const MAX_OPERATIONS = 128;

/** What operations work on, and the header for their answers. */
export interface Bench {
  readonly store: Store;
  readonly leases: Leases;
  readonly header: (revision: number) => Header;
}

/** Checks a request before it is proposed: what any member can tell from the request alone. */
export function refuseAtOnce(operation: Operation): Refusal | undefined {
  if (operation.kind !== 'txn') return operation.key === '' ? refusals.emptyKey : undefined;
  const {success, failure, compare} = operation;
  if (Math.max(success.length, failure.length, compare.length) > MAX_OPERATIONS) return refusals.tooManyOperations;
  for (const {key} of compare) if (key === '') return refusals.emptyKey;
  for (const branch of [success, failure]) {
    for (const each of branch) {
      const refused = refuseAtOnce(each);
      if (refused) return refused;
    }
    if (branch.length > 1 && writesTwice(branch)) return refusals.duplicateKey;
  }
  return undefined;
}

// A key may be written once in a transaction, else its value at that revision would be two.
function writesTwice(branch: readonly Operation[]): boolean {
  const puts = new Set<string>();
  for (const each of branch) {
    if (each.kind !== 'put') continue;
    if (puts.has(each.key)) return true;
    puts.add(each.key);
  }
  const deletes = branch.filter(each => each.kind === 'delete');
  return deletes.some(each => [...puts].some(key => isWithin(key, each.key, each.end)));
}

/** Does it write? What only reads needs no place in the log. */
export function isReadOnly(operation: Operation): boolean {
  if (operation.kind === 'range') return true;
  return operation.kind === 'txn' && operation.success.every(isReadOnly) && operation.failure.every(isReadOnly);
}

/** Reads a range. */
export function range(bench: Bench, request: RangeRequest): RangeAnswer | Refusal {
  const {store} = bench;
  const refused = refuseRevision(store, request.revision);
  if (refused) return refused;
  const {key, end, order, limit = 0} = request;
  const revision = request.revision ? request.revision : undefined;
  const kvs: KeyValue[] = [];
  let count = 0;
  const keep = order || limit === 0 ? Infinity : limit;
  store.walk({key, end, revision}, value => {
    count++;
    if (!request.countOnly && kvs.length < keep) kvs.push(value);
  });
  const found = order ? sortBy(kvs, order).slice(0, limit || undefined) : kvs;
  const answer = request.keysOnly ? found.map(kv => ({...kv, value: undefined})) : found;
  return {header: bench.header(store.revision), kvs: answer, count, more: !request.countOnly && count > answer.length};
}

function refuseRevision(store: Store, revision: number | undefined): Refusal | undefined {
  if (!revision) return undefined;
  if (revision > store.revision) return refusals.future;
  return revision < store.compacted ? refusals.compacted : undefined;
}

function sortBy(kvs: KeyValue[], {by, descending}: NonNullable<RangeRequest['order']>): KeyValue[] {
  const field = {key: 'key', create: 'createRevision', mod: 'modRevision', version: 'version', value: 'value'}[
    by
  ] as keyof KeyValue;
  const sorted = kvs.toSorted((a, b) => compareValues(a[field], b[field]));
  return descending ? sorted.reverse() : sorted;
}

function compareValues(a: unknown, b: unknown): number {
  const [x, y] = typeof a === 'number' && typeof b === 'number' ? [a, b] : [textOf(a), textOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Applies what a member proposed: a put, a delete or a transaction, at the next revision. */
export function apply(bench: Bench, operation: Operation, writing: Writing): OperationAnswer | Refusal {
  const refused = refuseToApply(bench, operation);
  return refused ?? run(bench, operation, writing);
}

function refuseToApply(bench: Bench, operation: Operation): Refusal | undefined {
  switch (operation.kind) {
    case 'range':
      return refuseRevision(bench.store, operation.revision);
    case 'put':
      if (operation.lease && !bench.leases.has(operation.lease)) return refusals.leaseNotFound;
      return (operation.ignoreValue || operation.ignoreLease) && !bench.store.at(operation.key)
        ? refusals.keyNotFound
        : undefined;
    case 'delete':
      return undefined;
    case 'txn':
      for (const each of branchOf(bench, operation)) {
        const refused = refuseToApply(bench, each);
        if (refused) return refused;
      }
      return undefined;
    default:
      return unreachable(operation);
  }
}

function run(bench: Bench, operation: Operation, writing: Writing): OperationAnswer | Refusal {
  switch (operation.kind) {
    case 'range':
      return range(bench, operation);
    case 'put':
      return put(bench, operation, writing);
    case 'delete':
      return remove(bench, operation, writing);
    case 'txn':
      return transact(bench, operation, writing);
    default:
      return unreachable(operation);
  }
}

function put(bench: Bench, request: PutRequest, writing: Writing): PutAnswer {
  const {key, previous} = request;
  const before = request.ignoreValue || request.ignoreLease ? bench.store.at(key) : undefined;
  const value = request.ignoreValue ? before?.value : request.value;
  const lease = request.ignoreLease ? (before?.lease ?? 0) : (request.lease ?? 0);
  const event = bench.store.put(writing, key, {value, lease});
  bench.leases.moved(key, event.previous?.lease ?? 0, lease);
  const header = bench.header(bench.store.revision);
  return previous && event.previous ? {header, previous: event.previous} : {header};
}

function remove(bench: Bench, {key, end, previous}: DeleteRequest, writing: Writing): DeleteAnswer {
  const {store} = bench;
  const keys: string[] = [];
  store.walk({key, end}, value => {
    keys.push(value.key);
  });
  const gone: KeyValue[] = [];
  for (const each of keys) {
    const before = store.delete(writing, each)?.previous;
    if (!before) continue;
    bench.leases.moved(each, before.lease, 0);
    gone.push(before);
  }
  return {header: bench.header(store.revision), deleted: gone.length, previous: previous ? gone : []};
}

function transact(bench: Bench, request: TransactionRequest, writing: Writing): TransactionAnswer | Refusal {
  const succeeded = holds(bench.store, request.compare);
  const answers: OperationAnswer[] = [];
  for (const each of succeeded ? request.success : request.failure) {
    const answer = run(bench, each, writing);
    if (isRefusal(answer)) return answer;
    answers.push(answer);
  }
  return {header: bench.header(bench.store.revision), succeeded, answers};
}

function branchOf(bench: Bench, {compare, success, failure}: TransactionRequest): readonly Operation[] {
  return holds(bench.store, compare) ? success : failure;
}

function holds(store: Store, compare: readonly Compare[]): boolean {
  for (const each of compare) if (!isTrue(store, each)) return false;
  return true;
}

const FIELD = {version: 'version', create: 'createRevision', mod: 'modRevision', lease: 'lease', value: 'value'} as const;

// A key that is not there has version, revisions and lease 0; its value is compared with nothing, and that is false.
function isTrue(store: Store, {key, target, is, value}: Compare): boolean {
  const found = store.at(key);
  if (!found && target === 'value') return false;
  const order = compareValues(found ? found[FIELD[target]] : 0, value);
  switch (is) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    default:
      return unreachable(is);
  }
}
