// What somebody does to etcd's files while it is stopped, and what comes of it: a database or a log that is cut, flipped, empty, gone;
// and snapshots in the same states, as etcdutl judges them.
import {expect, test} from 'vitest';
import {bareWorld} from '../testing/bare-world.ts';
import type {World} from '../world.ts';

const ENV =
  'export ETCDCTL_ENDPOINTS=https://127.0.0.1:2379 ETCDCTL_CACERT=/etc/kubernetes/pki/etcd/ca.crt ' +
  'ETCDCTL_CERT=/etc/kubernetes/pki/etcd/server.crt ETCDCTL_KEY=/etc/kubernetes/pki/etcd/server.key; cd /root; ';
const DB = '/var/lib/etcd/member/snap/db';
const WAL = '/var/lib/etcd/member/wal/0000000000000000-0000000000000000.wal';

const opened = (): Promise<World> => bareWorld('solo', 3000);

async function on(world: World, command: string): Promise<string> {
  const {out, err} = await world.player.run(ENV + command, 'cp-1');
  return (out + err).trim();
}

async function told(world: World, words: string): Promise<string> {
  const answer = await world.fault(words);
  return 'out' in answer ? (answer.out ?? '').trim() : '';
}

/** What is done to the files; does etcd run; has it the key; which line it logged. */
const DAMAGE: readonly (readonly [string, string, 'yes' | 'no', 'open' | 'nothing' | 'silence', RegExp | undefined])[] = [
  ['nothing', 'true', 'yes', 'open', undefined],
  ['another mode', 'chmod -R 755 /var/lib/etcd', 'yes', 'open', undefined],
  [
    'moved and back by a copy',
    'cp -r /var/lib/etcd /root/x; rm -rf /var/lib/etcd; cp -r /root/x /var/lib/etcd',
    'yes',
    'open',
    undefined,
  ],
  ['no directory', 'rm -rf /var/lib/etcd', 'yes', 'nothing', /Initialize and start etcd server/],
  ['no member in it', 'rm -rf /var/lib/etcd/member', 'yes', 'nothing', /Initialize and start etcd server/],
  ['no database: made anew from the log', `rm ${DB}`, 'yes', 'open', undefined],
  ['a database cut short', `truncate -s 5000 ${DB}`, 'no', 'silence', /panic: failed to open database/],
  ['an empty database', `: > ${DB}`, 'no', 'silence', /"error":"invalid database"/],
  ['a database that is something else', `cp /etc/hosts ${DB}`, 'no', 'silence', /both meta pages are invalid/],
  ['no log', `rm -rf /var/lib/etcd/member/wal`, 'yes', 'silence', /server has already been initialized/],
  [
    'a log cut in the middle of its last record',
    `truncate -s -5 ${WAL}`,
    'yes',
    'open',
    /"msg":"repaired".*"error":"unexpected EOF"/,
  ],
  ['a log that is something else', `echo garbage > ${WAL}`, 'no', 'silence', /failed to read WAL, cannot be repaired/],
];

test.each(DAMAGE)('%s', async (_, damage, alive, key, line) => {
  const world = await opened();
  expect(await on(world, 'etcdctl put /game/door open')).toBe('OK');
  await world.fault('stop apiserver cp-1');
  await world.fault('stop etcd cp-1');
  await on(world, damage);
  await world.fault('start etcd cp-1');
  expect(await told(world, 'alive etcd cp-1')).toBe(alive);
  if (line) expect(await told(world, 'logs etcd cp-1')).toMatch(line);
  const found = await on(world, 'etcdctl --command-timeout=2s get /game/door --print-value-only 2>/dev/null || echo silence');
  expect(found).toBe(key === 'nothing' ? '' : key);
});

const SNAPSHOTS: readonly (readonly [string, string, string, string])[] = [
  ['whole', 'cp good.db s.db', 'etcd 3.6.0', 'restored snapshot'],
  [
    'cut short',
    'head -c 20000 good.db > s.db',
    'Error: invalid database',
    'Error: snapshot missing hash but --skip-hash-check=false',
  ],
  [
    'with something behind it',
    '(cat good.db; echo more) > s.db',
    'Error: invalid database',
    'Error: snapshot missing hash but --skip-hash-check=false',
  ],
  ['a letter flipped', "sed 's/kube-system/kube-sistem/' good.db > s.db", 'etcd 3.6.0', 'Error: expected sha256 ['],
  ['empty', ': > s.db', 'Error: invalid database', 'Error: seek s.db: invalid argument'],
  ['something else', 'cp /etc/hosts s.db', 'Error: invalid database', 'Error: snapshot missing hash but --skip-hash-check=false'],
  ['not there', 'rm -f s.db', 'Error: stat s.db: no such file or directory', 'Error: open s.db: no such file or directory'],
  ['a folder', 'mkdir s.db', 'Error: read s.db: is a directory', 'Error: open s.db: no such file or directory'],
  ['copied from a data directory', `cp ${DB} s.db`, 'etcd 3.6.0', 'Error: snapshot missing hash but --skip-hash-check=false'],
];

test.each(SNAPSHOTS)('a snapshot that is %s', async (_, make, status, restored) => {
  const world = await opened();
  await on(world, 'etcdctl snapshot save good.db');
  await on(world, make);
  const said = await on(world, 'etcdutl snapshot status s.db');
  if (status === 'etcd 3.6.0') expect(said).toMatch(/^[0-9a-f]+, \d+, \d+, \d+ kB, 3\.6\.0$/);
  else expect(said).toBe(status);
  expect(await on(world, 'etcdutl snapshot restore s.db --data-dir /root/r 2>&1 | tail -1')).toContain(restored);
});
