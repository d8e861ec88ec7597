// `kubectl debug`: a container to look into a pod or a node: added to the running pod, in a copy of the pod, or in a pod on the node.
import type {Container, Pod} from '../../../api/kinds/core-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {schemaOf, typeOfKind} from '../../../api/schema/index.ts';
import {createTwoWayPatch, type JsonObject} from '../../../api/schema/merge/index.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {randomSuffix} from '../../random.ts';
import {selection, visitEach, type Found, type Selected} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {awaitContainer} from './await-container.ts';
import {copyOf} from './copy.ts';
import {customFields, debugContainer, imageProblem, otherProblem, profileOf, wordsOf} from './options.ts';
import {onNode, profiled} from './profiles.ts';

export const debug: Command = {
  path: 'kubectl debug',
  short: 'Look into a pod or a node with a container of your own',
  examples: [
    'kubectl debug web -it --image=busybox:1.36',
    'kubectl debug web --copy-to=web-copy --image=busybox:1.36 -it',
    'kubectl debug node/node-1 -it --image=busybox:1.36',
  ],
  does: [
    ...COMMON_FLAGS,
    'arguments-only',
    'attach',
    'container',
    'copy-to',
    'custom',
    'env',
    'filename',
    'image',
    'image-pull-policy',
    'keep-annotations',
    'keep-init-containers',
    'keep-labels',
    'keep-liveness',
    'keep-readiness',
    'keep-startup',
    'profile',
    'quiet',
    'replace',
    'same-node',
    'set-image',
    'share-processes',
    'stdin',
    'target',
    'tty',
  ],
  run,
};

const OLD_PROFILE =
  '--profile=legacy is deprecated and will be removed in the future. It is recommended to explicitly specify a profile, for example "--profile=general".\n';

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  const custom = customFields(session);
  const problem = imageProblem(session) ?? otherProblem(session) ?? (custom instanceof Failure ? custom : undefined);
  if (problem) return problem;
  if (profileOf(session) === 'legacy') await session.err(OLD_PROFILE);
  const {names} = wordsOf(session);
  const target = flags.text('target');
  const selected = await chosen(session, names);
  if (selected instanceof Failure) return selected;
  if (target !== '')
    await session.out(
      `Targeting container ${JSON.stringify(target)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.\n`,
    );
  let code: number | undefined;
  const failures = await visitEach(selected, async found => {
    // The first that ends with a code ends it all.
    const outcome = code === undefined ? await debugOne(session, found) : undefined;
    if (typeof outcome === 'number') code = outcome;
    return outcome instanceof Failure ? outcome : undefined;
  });
  return code ?? gather(failures);
}

/** Each word is a pod by its name, or `type/name`. */
async function chosen(session: Session, names: readonly string[]): Promise<Selected | Failure> {
  if (names.length === 0) return select(session, {files: session.files, latest: true});
  const visited: (Found | Failure)[] = [];
  for (const name of names) {
    const selected = await select(session, {args: name.includes('/') ? [name] : ['pods', name]});
    if (selected instanceof Failure) return selected;
    visited.push(...selected.visited);
  }
  return selection(visited, {isSingle: names.length === 1});
}

async function debugOne(session: Session, {kind, object}: Found): Promise<Outcome> {
  if (!object) return undefined;
  if (object.kind === 'Node') return debugNode(session, object.metadata.name);
  if (object.kind !== 'Pod')
    return fail(`"${kind.group === '' ? '/' : ''}${object.apiVersion}, Kind=${kind.kind}" not supported by debug`);
  const pod = object as unknown as Pod;
  return session.flags.text('copy-to') === '' ? addContainer(session, pod) : debugCopy(session, pod);
}

/** The name of the new container: given, or one that no container of the pod has. */
async function nameIn(session: Session, pod: Pod): Promise<string> {
  const given = session.flags.text('container');
  if (given !== '') return given;
  const taken = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? []), ...(pod.spec?.ephemeralContainers ?? [])];
  for (let tries = 0; ; tries++) {
    const name = `debugger-${randomSuffix(session.process, String(tries))}`;
    if (taken.some(container => container.name === name)) continue;
    if (!session.flags.on('quiet')) await session.out(`Defaulting debug container name to ${name}.\n`);
    return name;
  }
}

function withCustom(session: Session, container: Container): Container | Failure {
  const custom = customFields(session);
  return custom instanceof Failure ? custom : ({...container, ...custom} as Container);
}

/** An ephemeral container in the running pod. */
async function addContainer(session: Session, pod: Pod): Promise<Outcome> {
  const name = await nameIn(session, pod);
  const made = debugContainer(session, name, {withResources: true});
  if (made instanceof Failure) return made;
  const target = session.flags.text('target');
  const custom = withCustom(session, profiled(made, profileOf(session), 'ephemeral'));
  if (custom instanceof Failure) return custom;
  const added = {...custom, ...(target === '' ? {} : {targetContainerName: target})};
  const after = {...pod, spec: {...pod.spec, ephemeralContainers: [...(pod.spec?.ephemeralContainers ?? []), added]}};
  const body = createTwoWayPatch(
    pod as unknown as JsonObject,
    after as unknown as JsonObject,
    schemaOf(typeOfKind('v1', 'Pod') ?? ''),
  );
  const api = session.api();
  if (api instanceof Failure) return api;
  const changed = await api.ask<Pod>({
    method: 'PATCH',
    path: pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name, 'ephemeralcontainers'),
    headers: {'content-type': PATCH_TYPES.strategic},
    body,
  });
  if (changed instanceof Failure)
    return changed.is('NotFound') && changed.cause.type === 'status' && !changed.cause.status.details?.name
      ? fail(`ephemeral containers are disabled for this cluster (error from server: ${JSON.stringify(changed.message)})`)
      : changed;
  return follow(session, changed, name);
}

async function create(session: Session, pod: unknown): Promise<Pod | Failure> {
  const namespace = session.namespace();
  const api = session.api();
  if (namespace instanceof Failure) return namespace;
  if (api instanceof Failure) return api;
  return api.ask<Pod>({method: 'POST', path: pathOf(builtin('pods'), namespace), body: pod as AnyObject});
}

async function debugCopy(session: Session, pod: Pod): Promise<Outcome> {
  const {flags} = session;
  const needsContainer = flags.text('image') !== '' || flags.text('container') !== '';
  const name = needsContainer ? await nameIn(session, pod) : '';
  const copy = copyOf(session, pod, name);
  if (copy instanceof Failure) return copy;
  if (flags.on('replace')) {
    const api = session.api();
    if (api instanceof Failure) return api;
    const gone = await api.ask({
      method: 'DELETE',
      path: pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name),
      query: {gracePeriodSeconds: '0'},
    });
    if (gone instanceof Failure) return gone;
  }
  const created = await create(session, copy);
  return created instanceof Failure ? created : follow(session, created, name);
}

async function debugNode(session: Session, node: string): Promise<Outcome> {
  const name = session.flags.text('container') || 'debugger';
  const podName = `node-debugger-${node}-${randomSuffix(session.process)}`;
  const made = debugContainer(session, name, {withResources: false});
  if (made instanceof Failure) return made;
  const container = withCustom(session, profiled(made, profileOf(session), 'node'));
  if (container instanceof Failure) return container;
  const spec = onNode(
    {containers: [container], nodeName: node, restartPolicy: 'Never', tolerations: [{operator: 'Exists'}]},
    profileOf(session),
    name,
  );
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: podName, labels: {'app.kubernetes.io/managed-by': 'kubectl-debug'}},
    spec,
  };
  if (!session.flags.on('quiet'))
    await session.out(`Creating debugging pod ${podName} with container ${name} on node ${node}.\n`);
  const created = await create(session, pod);
  return created instanceof Failure ? created : follow(session, created, name);
}

/** Joins the streams of the new container, where that is asked for. */
async function follow(session: Session, pod: Pod, container: string): Promise<Outcome> {
  const {flags} = session;
  const isAttached = flags.has('attach') ? flags.on('attach') : flags.on('stdin');
  return isAttached ? awaitContainer(session, pod, container) : undefined;
}
