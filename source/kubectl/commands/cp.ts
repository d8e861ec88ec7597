// `kubectl cp`: copies files and folders to and from a container, with the tar that is in it.
import {pathOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Pod} from '../../api/kinds/core-v1.ts';
import {readTar, writeTar, type Member} from '../../api/wire/tar.ts';
import {fail, Failure} from '../failure.ts';
import {defaultContainer} from '../resources/pods.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {runRemotely} from './streams/remote.ts';

export const cp: Command = {
  path: 'kubectl cp',
  short: 'Copy files and folders to and from containers',
  examples: ['kubectl cp notes.txt web:/tmp/notes.txt', 'kubectl cp shop/web:/var/log logs -c side'],
  does: [...COMMON_FLAGS, 'container', 'no-preserve', 'retries'],
  run,
};

/** A file here, or in a pod. */
interface Place {
  readonly namespace: string;
  readonly pod: string;
  readonly path: string;
}

/** Where the pod is, and its container. */
interface Target extends Place {
  readonly container: string;
}

async function run(session: Session): Promise<Outcome> {
  const {args} = session;
  if (args.length !== 2) return fail('source and destination are required');
  const [source, destination] = args.map(word => placeOf(word));
  if (source instanceof Failure) return source;
  if (destination instanceof Failure) return destination;
  if (!source || !destination) return undefined;
  if (source.pod !== '' && destination.pod !== '') return fail('one of src or dest must be a local file specification');
  if (source.path === '' || destination.path === '') return fail('filepath can not be empty');
  if (source.pod !== '') {
    const target = await targetOf(session, source, text => session.out(text));
    return target instanceof Failure ? target : download(session, target, destination.path);
  }
  if (destination.pod === '') return fail('one of src or dest must be a remote file specification');
  const from = session.process.path(source.path);
  if (!session.process.machine.files.info(from)) return fail(`${source.path} doesn't exist in local filesystem`);
  const target = await targetOf(session, destination, text => session.err(text));
  return target instanceof Failure ? target : upload(session, from, target);
}

/** `NAMESPACE/POD:PATH`, or a path. */
function placeOf(word: string): Place | Failure {
  const colon = word.indexOf(':');
  if (colon < 0) return {namespace: '', pod: '', path: word};
  if (colon === 0) return fail('filespec must match the canonical format: [[namespace/]pod:]file/path');
  const parts = word.slice(0, colon).split('/');
  const path = word.slice(colon + 1);
  const [first = '', second] = parts;
  if (parts.length > 2) return fail('filespec must match the canonical format: [[namespace/]pod:]file/path');
  return second === undefined ? {namespace: '', pod: first, path} : {namespace: first, pod: second, path};
}

async function targetOf(session: Session, place: Place, tell: (text: string) => Promise<void>): Promise<Target | Failure> {
  const own = session.namespace();
  const api = session.api();
  if (own instanceof Failure) return own;
  if (api instanceof Failure) return api;
  const namespace = place.namespace || own;
  const pod = await api.ask<Pod>({method: 'GET', path: pathOf(builtin('pods'), namespace, place.pod)});
  if (pod instanceof Failure) return pod;
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed')
    return fail(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  const named = session.flags.text('container');
  if (named !== '') return {...place, namespace, container: named};
  const {name, notice} = defaultContainer(pod);
  await tell(notice);
  return {...place, namespace, container: name};
}

async function upload(session: Session, from: string, target: Target): Promise<Outcome> {
  const path = target.path.replace(/(?!^)\/+$/, '');
  const test = await runRemotely(session, {...target, command: ['test', '-d', path]});
  const base = from.slice(from.lastIndexOf('/') + 1);
  const to = test.failure ? path : `${path === '/' ? '' : path}/${base}`;
  const slash = to.lastIndexOf('/');
  const [folder, name] = slash < 0 ? ['', to] : [to.slice(0, slash) || '/', to.slice(slash + 1)];
  const input = writeTar(membersBelow(session, from, name));
  const flags = session.flags.on('no-preserve') ? ['--no-same-permissions', '--no-same-owner'] : [];
  const command = ['tar', ...flags, '-xmf', '-', ...(folder === '' ? [] : ['-C', folder])];
  const {out, err, failure} = await runRemotely(session, {...target, command, input});
  await session.out(out);
  await session.err(err);
  return failure;
}

function membersBelow({process}: Session, path: string, name: string): readonly Member[] {
  const {files} = process.machine;
  const {mode = 0o644, modified = 0} = files.info(path) ?? {};
  if (!files.isFolder(path)) return [{path: name, text: files.read(path) ?? '', mode, modified}];
  const below = (entries: readonly string[], folder: string, as: string): readonly Member[] =>
    entries.flatMap(entry => {
      const inside = `${folder}/${entry}`;
      if (!files.isFolder(inside)) return [{path: `${as}/${entry}`, text: files.read(inside) ?? '', mode, modified}];
      return [
        {path: `${as}/${entry}`, text: undefined, mode: 0o755, modified},
        ...below(files.list(inside) ?? [], inside, `${as}/${entry}`),
      ];
    });
  return [{path: name, text: undefined, mode, modified}, ...below(files.list(path) ?? [], path, name)];
}

async function download(session: Session, target: Target, to: string): Promise<Outcome> {
  const {out, err, failure} = await runRemotely(session, {...target, command: ['tar', 'cf', '-', target.path]});
  await session.out(err);
  const members = readTar(out) ?? [];
  const {files} = session.process.machine;
  const prefix = target.path.replace(/^[/.]*/, '').replace(/\/+$/, '');
  const root = session.process.path(to);
  for (const member of members) {
    const name = member.path.replace(/\/+$/, '');
    if (!name.startsWith(prefix)) return fail(`tar contents corrupted`);
    const path = `${root}${name.slice(prefix.length)}`;
    makeFolders(session, member.text === undefined ? path : path.slice(0, path.lastIndexOf('/')));
    if (member.text !== undefined && files.isFolder(path))
      return fail(`open ${to.replace(/(?!^)\/+$/, '')}${name.slice(prefix.length)}: is a directory`);
    if (member.text !== undefined && files.write(path, member.text, member.mode))
      return fail(`open ${path}: no such file or directory`);
  }
  return failure && members.length === 0 && err === '' ? failure : undefined;
}

function makeFolders(session: Session, path: string): void {
  const {files} = session.process.machine;
  if (path === '' || files.isFolder(path)) return;
  makeFolders(session, path.slice(0, path.lastIndexOf('/')));
  files.makeFolder(path);
}
