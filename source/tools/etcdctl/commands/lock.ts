// lock and elect: of all who want a name, each puts a key of its own under it, on a lease of its own; whose key is the oldest has it.
import type {LeaseAnswer, RangeAnswer, TransactionAnswer} from '../../../api/wire/etcd.ts';
import {endOfPrefix} from '../../../api/wire/etcd.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import type {Command, Context} from '../command.ts';
import {badArgument, Ended, EXIT} from '../exit.ts';
import {leaseText} from '../go-values.ts';
import {pairText} from '../key-values.ts';

const TTL_SECONDS = 60;
const LOOK_EVERY_MS = 500;

interface Held {
  readonly key: string;
  readonly lease: number;
  readonly revision: number;
}

/** Waits until the name is its own; undefined when it is interrupted before. */
async function acquire(context: Context, {name, value, ttlSeconds}: {name: string; value: string; ttlSeconds: number}) {
  const {client, process} = context;
  const {id} = await client.must<LeaseAnswer>({kind: 'lease-grant', ttlSeconds});
  const prefix = `${name}/`;
  const key = `${prefix}${leaseText(id).replace(/^0+/, '')}`;
  const put = await client.must<TransactionAnswer>({
    kind: 'txn',
    compare: [{key, target: 'create', is: '=', value: 0}],
    success: [{kind: 'put', key, value, lease: id}],
    failure: [],
  });
  const held: Held = {key, lease: id, revision: put.header.revision};
  for (let renewed = process.kernel.clock.now; ;) {
    const {kvs} = await client.must<RangeAnswer>({
      kind: 'range',
      key: prefix,
      end: endOfPrefix(prefix),
      order: {by: 'create', descending: false},
    });
    if (!kvs.some(kv => kv.key === key)) throw new Ended('session expired');
    if (kvs[0]?.key === key) return held;
    if (!(await process.sleep(LOOK_EVERY_MS))) {
      await release(context, held);
      return undefined;
    }
    if (process.kernel.clock.now - renewed < (ttlSeconds * 1000) / 3) continue;
    renewed = process.kernel.clock.now;
    await client.ask({kind: 'lease-keep-alive', id}, true);
  }
}

async function release({client}: Context, {lease}: Held): Promise<void> {
  await client.ask({kind: 'lease-revoke', id: lease}, true);
}

/** Holds what it has until somebody interrupts it. */
async function hold(context: Context, held: Held, ttlSeconds: number): Promise<void> {
  const {client, process} = context;
  const {kvs} = await client.must<RangeAnswer>({kind: 'range', key: held.key});
  await process.out(kvs.map(kv => pairText(kv)).join(''));
  while (await process.sleep((ttlSeconds * 1000) / 3))
    if (!(await client.ask({kind: 'lease-keep-alive', id: held.lease}, true)).ok) throw new Ended('session expired');
  await release(context, held);
}

function catchSignals({process}: Context): void {
  for (const name of ['INT', 'TERM'] as const) process.onSignal(name, 'catch');
}

async function lock(context: Context): Promise<void> {
  const {process, words, flags} = context;
  const [name, program, ...rest] = words;
  if (name === undefined) throw badArgument('lock takes one lock name argument and an optional command to execute');
  const ttlSeconds = flags.number('ttl');
  catchSignals(context);
  const held = await acquire(context, {name, value: '', ttlSeconds});
  if (!held) return;
  if (program === undefined) return hold(context, held, ttlSeconds);
  const found = process.machine.program(program);
  if (!found) {
    await release(context, held);
    throw new Ended(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`);
  }
  const environment = new Map([...process.environment, ['ETCD_LOCK_KEY', held.key], ['ETCD_LOCK_REV', String(held.revision)]]);
  const child = process.spawn(found, {argv: [program, ...rest], environment});
  let code = child ? await process.wait(child) : EXIT.error;
  while (child && code === INTERRUPTED) code = await process.wait(child);
  await release(context, held);
  if (code !== 0) throw new Ended(`exit status ${String(code)}`, Number(code));
}

async function elect(context: Context): Promise<void> {
  const {words, flags} = context;
  const [name, proposal, ...more] = words;
  if (name === undefined || more.length > 0)
    throw badArgument('elect takes one election name argument and an optional proposal argument');
  catchSignals(context);
  if (flags.on('listen')) {
    if (proposal !== undefined) throw badArgument('no arguments other than election name are allowed with -l flag');
    return observe(context, name);
  }
  if (proposal === undefined) throw badArgument('no proposal argument but -l not set');
  const held = await acquire(context, {name, value: proposal, ttlSeconds: TTL_SECONDS});
  if (held) await hold(context, held, TTL_SECONDS);
}

/** Tells who leads, and again whenever that changes. */
async function observe({client, process}: Context, name: string): Promise<void> {
  const prefix = `${name}/`;
  let told = '';
  for (;;) {
    const {kvs} = await client.must<RangeAnswer>({
      kind: 'range',
      key: prefix,
      end: endOfPrefix(prefix),
      order: {by: 'create', descending: false},
      limit: 1,
    });
    const text = kvs.map(kv => pairText(kv)).join('');
    if (text !== '' && text !== told) await process.out(text);
    told = text;
    if (!(await process.sleep(LOOK_EVERY_MS))) return;
  }
}

/** The commands. */
export const LOCK_COMMANDS: readonly Command[] = [
  {
    path: 'elect',
    usage: '<election-name> [proposal] [flags]',
    short: 'Observes and participates in leader election',
    flags: [{name: 'listen', short: 'l', type: 'bool'}],
    run: elect,
  },
  {
    path: 'lock',
    usage: '<lockname> [exec-command arg1 arg2 ...] [flags]',
    short: 'Acquires a named lock',
    flags: [{name: 'ttl', type: 'int', standard: '60'}],
    run: lock,
  },
];
