// etcdutl 3.6: what is done to etcd's files without a server. Snapshots and data directories have a form of their own here, which
// etcd's room knows; this program gets the operations on them handed in.
import {FILE_ERROR_TEXT, type Files} from '../../sim/files.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {Ended, badArgument, EXIT} from '../etcdctl/exit.ts';
import {goBytes} from '../../api/meta/go-text.ts';
import {jsonText} from '../etcdctl/print/json.ts';
import {tableText} from '../etcdctl/print/table.ts';
import {readFlags, type FlagSpec, type FlagValues} from '../flags/pflags.ts';
import {consoleLine} from './console-line.ts';

/** What a snapshot holds. */
export interface SnapshotStatus {
  readonly hash: number;
  readonly revision: number;
  readonly totalKey: number;
  readonly totalSizeBytes: number;
  readonly version: string;
}

export interface RestoreRequest {
  readonly name: string;
  readonly initialCluster: string;
  readonly initialAdvertisePeerUrls: readonly string[];
  readonly initialClusterToken: string;
  readonly skipHashCheck: boolean;
  readonly bumpRevision: number;
  readonly markCompacted: boolean;
}

/** What a restore came to. */
export type RestoreResult =
  | {
      readonly ok: true;
      readonly clusterId: string;
      readonly members: readonly {readonly id: string; readonly peerUrls: readonly string[]; readonly learner: boolean}[];
      readonly revision: number;
    }
  | {readonly ok: false; readonly why: string};

/** The operations on etcd's files. */
export interface EtcdFiles {
  /** Undefined for what is no database. */
  status(text: string): SnapshotStatus | undefined;
  hash(text: string): {readonly hash: number; readonly hashRevision: number; readonly compactRevision: number} | undefined;
  /** What is wrong with the flags of a restore, whatever the snapshot holds. */
  refuseFlags(request: RestoreRequest): string | undefined;
  restore(files: Files, target: {readonly directory: string; readonly text: string}, request: RestoreRequest): RestoreResult;
  defragment(files: Files, directory: string): boolean;
}

const WRITE_OUT: FlagSpec = {name: 'write-out', short: 'w', type: 'string', standard: 'simple'};
const HELP: FlagSpec = {name: 'help', short: 'h', type: 'bool'};
const RESTORE: readonly FlagSpec[] = [
  {name: 'bump-revision', type: 'int', standard: '0'},
  {name: 'data-dir', type: 'string'},
  {name: 'initial-advertise-peer-urls', type: 'string', standard: 'http://localhost:2380'},
  {name: 'initial-cluster', type: 'string'},
  {name: 'initial-cluster-token', type: 'string', standard: 'etcd-cluster'},
  {name: 'initial-memory-map-size', type: 'int', standard: '10737418240'},
  {name: 'mark-compacted', type: 'bool'},
  {name: 'name', type: 'string', standard: 'default'},
  {name: 'skip-hash-check', type: 'bool'},
  {name: 'wal-dir', type: 'string'},
];
const DATA_DIR: FlagSpec = {name: 'data-dir', type: 'string'};

interface Given {
  readonly process: Process;
  readonly words: readonly string[];
  readonly flags: FlagValues;
  readonly etcd: EtcdFiles;
}

interface Command {
  readonly path: string;
  readonly short: string;
  readonly flags: readonly FlagSpec[];
  readonly run: (given: Given) => Promise<void>;
}

const COMMANDS: readonly Command[] = [
  {path: 'defrag', short: 'Defragments the storage of the etcd', flags: [DATA_DIR], run: defrag},
  {path: 'hashkv', short: 'Prints the KV history hash of a given file', flags: [{name: 'rev', type: 'int'}], run: hashkv},
  {path: 'snapshot restore', short: 'Restores an etcd member snapshot to an etcd directory', flags: RESTORE, run: restore},
  {path: 'snapshot status', short: 'Gets backend snapshot status of a given file', flags: [], run: status},
  {path: 'version', short: 'Prints the version of etcdutl', flags: [], run: version},
];

/** Makes the program. */
export function makeEtcdutl(etcd: EtcdFiles): Program {
  return async process => {
    try {
      return await run(process, etcd);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      await process.err(`Error: ${error.message}\n`);
      return error.code;
    }
  };
}

async function run(process: Process, etcd: EtcdFiles): Promise<number> {
  const words = process.argv.slice(1);
  const [first = '', second = ''] = words.filter(word => !word.startsWith('-'));
  const command = COMMANDS.find(({path}) => path === `${first} ${second}`) ?? COMMANDS.find(({path}) => path === first);
  const typed = readFlags(words, [WRITE_OUT, HELP, ...(command?.flags ?? [])]);
  if (!command && first !== '' && first !== 'snapshot' && first !== 'help') {
    await process.err(`Error: unknown command ${JSON.stringify(first)} for "etcdutl"\nRun 'etcdutl --help' for usage.\n`);
    return EXIT.error;
  }
  if (!command || (typed.ok && typed.flags.on('help'))) {
    await process.out(helpText(first === 'snapshot' ? 'snapshot' : ''));
    return 0;
  }
  if (!typed.ok) {
    await process.err(`Error: ${typed.message}\n`);
    await process.out(helpText(command.path));
    return EXIT.error;
  }
  await command.run({process, words: typed.words.slice(command.path.split(' ').length), flags: typed.flags, etcd});
  return 0;
}

function helpText(group: string): string {
  const inside = COMMANDS.filter(({path}) => group === '' || path.startsWith(`${group} `));
  const name = group === '' ? 'etcdutl' : `etcdutl ${group}`;
  const list = inside
    .map(({path, short}) => `  ${path.slice(group === '' ? 0 : group.length + 1).padEnd(18)} ${short}\n`)
    .join('');
  const commands = list === '' ? '' : `\nAvailable Commands:\n${list}`;
  const flags = COMMANDS.find(({path}) => path === group)?.flags ?? [];
  const own = flags.map(({name: flag, type}) => `      --${flag}${type === 'bool' ? '' : ` ${type}`}\n`).join('');
  return `Usage:\n  ${name} ${list === '' ? '[flags]' : '[command]'}\n${commands}\nFlags:\n${own}  -h, --help   help for ${name.split(' ').at(-1)}\n`;
}

async function status({process, words, flags, etcd}: Given): Promise<void> {
  const [path, ...more] = words;
  if (path === undefined || more.length > 0) throw badArgument('snapshot status requires exactly one argument');
  const text = databaseAt(process, path);
  const found = etcd.status(text);
  if (!found) throw new Ended('invalid database');
  const {hash, revision, totalKey, totalSizeBytes, version: form} = found;
  const row = [hash.toString(16), String(revision), String(totalKey), goBytes(totalSizeBytes), form];
  const format = flags.text('write-out');
  if (format === 'json') await process.out(`${jsonText({hash, revision, totalKey, totalSize: totalSizeBytes, version: form})}\n`);
  else if (format === 'table') await process.out(tableText(['HASH', 'REVISION', 'TOTAL KEYS', 'TOTAL SIZE', 'VERSION'], [row]));
  else if (format === 'fields')
    await process.out(
      `"Hash" : ${hash}\n"Revision" : ${revision}\n"Keys" : ${totalKey}\n"Size" : ${totalSizeBytes}\n"Version" : ${JSON.stringify(form)}\n`,
    );
  else await process.out(`${row.join(', ')}\n`);
}

function databaseAt(process: Process, path: string): string {
  const {files} = process.machine;
  const text = files.read(process.path(path));
  if (text !== undefined) return text;
  throw new Ended(
    files.isFolder(process.path(path)) ? `read ${path}: is a directory` : `stat ${path}: no such file or directory`,
  );
}

async function hashkv({process, words, etcd}: Given): Promise<void> {
  const [path, ...more] = words;
  if (path === undefined || more.length > 0) throw badArgument('hashkv requires exactly one argument');
  const text = databaseAt(process, path);
  const found = etcd.hash(text);
  if (!found) throw new Ended('invalid database');
  await process.out(`${found.hash}, ${found.hashRevision}, ${found.compactRevision}\n`);
}

/** A snapshot that a server sent carries its hash at its end; what is shorter than that cannot. */
const HASH_BYTES = 32;

async function restore({process, words, flags, etcd}: Given): Promise<void> {
  const [path, ...more] = words;
  if (path === undefined || more.length > 0) throw badArgument('snapshot restore requires exactly one argument');
  const request = requestOf(flags);
  if (request.bumpRevision > 0 !== request.markCompacted) throw badArgument('--mark-compacted required if --revision-bump > 0');
  const wrong = etcd.refuseFlags(request);
  if (wrong !== undefined) throw new Ended(wrong);
  const {files} = process.machine;
  const directory = flags.text('data-dir') === '' ? `${request.name}.etcd` : flags.text('data-dir');
  const target = process.path(directory);
  if ((files.list(target) ?? []).length > 0 || files.info(target)?.kind === 'file')
    throw new Ended(`data-dir ${JSON.stringify(directory)} not empty or could not be read`);
  const facts = {
    path,
    'wal-dir': `${directory}/member/wal`,
    'data-dir': directory,
    'snap-dir': `${directory}/member/snap`,
    'initial-memory-map-size': flags.number('initial-memory-map-size'),
  };
  const say = (caller: string, msg: string, more_: object) =>
    process.err(consoleLine(process.machine.wall(), {caller, msg, facts: more_}));
  const text = files.read(process.path(path));
  await say('snapshot/v3_snapshot.go:305', 'restoring snapshot', facts);
  if (text === undefined) throw new Ended(`open ${path}: no such file or directory`);
  if (text.length < HASH_BYTES) throw new Ended(`seek ${path}: invalid argument`);
  const result = etcd.restore(files, {directory: target, text}, request);
  if (!result.ok) throw new Ended(result.why);
  if (request.bumpRevision > 0) {
    const before = {'latest-revision': result.revision - request.bumpRevision, 'bump-amount': request.bumpRevision};
    await say('snapshot/v3_snapshot.go:396', 'bumping latest revision', {...before, 'new-latest-revision': result.revision});
    await say('snapshot/v3_snapshot.go:413', 'marking revision compacted', {revision: result.revision});
  }
  await say('schema/membership.go:138', 'Trimming membership information from the backend...', {});
  for (const {id, peerUrls, learner} of result.members)
    await say('membership/cluster.go:424', 'added member', {
      'cluster-id': result.clusterId,
      'local-member-id': '0',
      'added-peer-id': id,
      'added-peer-peer-urls': peerUrls,
      'added-peer-is-learner': learner,
    });
  await say('snapshot/v3_snapshot.go:333', 'restored snapshot', facts);
}

function requestOf(flags: FlagValues): RestoreRequest {
  const name = flags.text('name');
  return {
    name,
    initialCluster: flags.has('initial-cluster') ? flags.text('initial-cluster') : `${name}=http://localhost:2380`,
    initialAdvertisePeerUrls: flags.list('initial-advertise-peer-urls'),
    initialClusterToken: flags.text('initial-cluster-token'),
    skipHashCheck: flags.on('skip-hash-check'),
    bumpRevision: flags.number('bump-revision'),
    markCompacted: flags.on('mark-compacted'),
  };
}

async function defrag({process, flags, etcd}: Given): Promise<void> {
  const directory = flags.text('data-dir');
  if (directory === '') throw new Ended('required flag(s) "data-dir" not set');
  const {files} = process.machine;
  if (!files.info(process.path(directory)))
    throw new Ended(
      `failed to defragment etcd data[${directory}] (stat ${directory}/member/snap/db: ${FILE_ERROR_TEXT.ENOENT.toLowerCase()})`,
    );
  if (!etcd.defragment(files, process.path(directory)))
    throw new Ended(`failed to defragment etcd data[${directory}] (invalid database)`);
}

async function version({process}: Given): Promise<void> {
  await process.out('etcdutl version: 3.6.6\nAPI version: 3.6\n');
}
