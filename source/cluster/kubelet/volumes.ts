// The volumes of one pod. What they hold is collected before the sandbox is made, so that a missing ConfigMap holds the pod up;
// the files themselves are laid out only when a container looks at them, which those of most pods never do. For the same reason
// a token is asked for only when a container could read it.
//
// Not modelled yet: persistent volume claims, CSI, image volumes, the sizes of emptyDir volumes. They count as mounted and empty.
import type {Container, EphemeralContainer, KeyToPath, Pod, Volume, VolumeProjection} from '../../api/kinds/core-v1.ts';
import type {TokenRequest} from '../../api/kinds/authentication-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Mount} from '../../api/wire/cri.ts';
import {Files} from '../../sim/files.ts';
import type {Client} from '../../client/client.ts';
import {create} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';
import {unitValue} from '../../api/meta/quantity.ts';
import {fieldText, resourceText, type FieldFacts} from './fields.ts';
import type {Referred, References} from './references.ts';

const serviceAccounts = builtin('serviceaccounts');

export interface VolumeFacts {
  readonly references: References;
  readonly client: Client;
  readonly nodeFiles: Files;
  readonly fields: () => FieldFacts;
  readonly wall: () => number;
}

/** Why a volume is not there. */
export interface MountFailure {
  readonly volume: string;
  readonly message: string;
}

interface Content {
  readonly text: string;
  readonly mode: number;
}

type Contents = Map<string, Content>;

interface TokenWish {
  readonly volume: string;
  readonly path: string;
  readonly audience: string | undefined;
  readonly seconds: number;
}

interface State {
  contents: Contents;
  tree: Files | undefined;
  readonly path: string;
}

/** The volumes of a pod, as its kubelet holds them. */
export class PodVolumes {
  readonly #facts: VolumeFacts;
  readonly #states = new Map<string, State>();
  readonly #tokens: TokenWish[] = [];
  #words: Files | undefined;

  constructor(facts: VolumeFacts) {
    this.#facts = facts;
  }

  /** Collects what all volumes hold. The first one that cannot be had ends it. */
  *setUp(pod: Pod): Task<MountFailure | undefined> {
    for (const volume of pod.spec.volumes ?? []) {
      if (this.#states.has(volume.name)) continue;
      const failed = yield* this.#setUpOne(pod, volume);
      if (failed !== undefined) return {volume: volume.name, message: failed};
    }
    return undefined;
  }

  /** Asks again for what may have changed: ConfigMaps, Secrets, the pod's own fields. What is gone stays as it was. */
  *refresh(pod: Pod): Task {
    for (const volume of pod.spec.volumes ?? []) {
      const state = this.#states.get(volume.name);
      if (!state || !canChange(volume)) continue;
      const contents: Contents = new Map();
      if ((yield* this.#collect(pod, volume, contents)) !== undefined) continue;
      for (const wish of this.#tokens) {
        const token = wish.volume === volume.name ? state.contents.get(wish.path) : undefined;
        if (token) contents.set(wish.path, token);
      }
      if (state.tree) rewrite(state.tree, state.contents, contents);
      state.contents = contents;
    }
  }

  /** Asks for the tokens that are still missing. */
  *fetchTokens(pod: Pod): Task<MountFailure | undefined> {
    for (const wish of this.#tokens) {
      const state = this.#states.get(wish.volume);
      if (!state || state.contents.has(wish.path)) continue;
      const {metadata, spec} = pod;
      const {client} = this.#facts;
      const request = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: metadata.namespace ? {namespace: metadata.namespace} : {},
        spec: {
          audiences: wish.audience ? [wish.audience] : [],
          expirationSeconds: wish.seconds,
          boundObjectRef: {apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid},
        },
      };
      const place = {namespace: metadata.namespace, name: spec.serviceAccountName ?? 'default', subresource: 'token'};
      const result = yield* client.ask<TokenRequest>(create(serviceAccounts, request, place));
      if (!result.ok) return {volume: wish.volume, message: `failed to fetch token: ${result.status.message}`};
      state.contents.set(wish.path, {text: result.value.status?.token ?? '', mode: 0o644});
      if (state.tree) lay(state.tree, wish.path, {text: result.value.status?.token ?? '', mode: 0o644});
    }
    return undefined;
  }

  /** Where a container finds its volumes, and the file for its last words. */
  mounts(container: Container | EphemeralContainer): readonly Mount[] {
    const mounts: Mount[] = (container.volumeMounts ?? []).map(mount => {
      const state = this.#states.get(mount.name);
      const base = state?.path ?? '/';
      const below = mount.subPath ?? '';
      return {
        path: mount.mountPath.replace(/\/+$/, '') || '/',
        readOnly: mount.readOnly === true || (state !== undefined && this.#alwaysReadOnly.has(mount.name)),
        files: () => this.#tree(mount.name, below),
        from: below === '' ? base : `${base === '/' ? '' : base}/${below}`,
      };
    });
    const {terminationMessagePath = '/dev/termination-log', name} = container;
    mounts.push({path: terminationMessagePath, readOnly: false, files: () => this.#lastWordFiles(name), from: `/${name}`});
    return mounts;
  }

  /** What a container wrote as its last words, and takes them away for its next life. */
  takeLastWords(container: string): string {
    const text = this.#words?.read(`/${container}`) ?? '';
    if (text !== '') this.#words?.write(`/${container}`, '');
    return text.slice(0, 4096);
  }

  readonly #alwaysReadOnly = new Set<string>();

  #lastWordFiles(container: string): Files {
    const files = (this.#words ??= new Files(this.#facts.wall));
    if (files.info(`/${container}`) === undefined) files.place(`/${container}`, '');
    return files;
  }

  *#setUpOne(pod: Pod, volume: Volume): Task<string | undefined> {
    const {hostPath, emptyDir} = volume;
    if (hostPath) {
      const failed = checkHostPath(this.#facts.nodeFiles, hostPath.path, hostPath.type ?? '');
      if (failed === undefined)
        this.#states.set(volume.name, {contents: new Map(), tree: this.#facts.nodeFiles, path: hostPath.path});
      return failed;
    }
    const contents: Contents = new Map();
    const failed = yield* this.#collect(pod, volume, contents);
    if (failed !== undefined) return failed;
    if (volume.configMap ?? volume.secret ?? volume.projected ?? volume.downwardAPI) this.#alwaysReadOnly.add(volume.name);
    const limit = emptyDir?.medium === 'Memory' && emptyDir.sizeLimit !== undefined ? unitValue(emptyDir.sizeLimit) : undefined;
    const tree = limit === undefined ? undefined : new Files(this.#facts.wall, limit);
    this.#states.set(volume.name, {contents, tree, path: '/'});
    return undefined;
  }

  *#collect(pod: Pod, volume: Volume, contents: Contents): Task<string | undefined> {
    const {configMap, secret, projected, downwardAPI} = volume;
    if (configMap)
      return yield* this.#addKeys(pod, contents, {kind: 'configMap', name: configMap.name ?? '', mode: 0o644, ...configMap});
    if (secret)
      return yield* this.#addKeys(pod, contents, {kind: 'secret', mode: 0o644, ...secret, name: secret.secretName ?? ''});
    if (downwardAPI) return this.#addFields(pod, contents, {mode: 0o644, ...downwardAPI});
    for (const source of projected?.sources ?? []) {
      const failed = yield* this.#addProjection(pod, contents, {
        volume: volume.name,
        source,
        mode: projected?.defaultMode ?? 0o644,
      });
      if (failed !== undefined) return failed;
    }
    return undefined;
  }

  *#addProjection(
    pod: Pod,
    contents: Contents,
    from: {readonly volume: string; readonly source: VolumeProjection; readonly mode: number},
  ): Task<string | undefined> {
    const {volume, source, mode} = from;
    const {configMap, secret, downwardAPI, serviceAccountToken: token} = source;
    if (configMap)
      return yield* this.#addKeys(pod, contents, {
        kind: 'configMap',
        projected: true,
        name: configMap.name ?? '',
        mode,
        ...configMap,
      });
    if (secret)
      return yield* this.#addKeys(pod, contents, {kind: 'secret', projected: true, name: secret.name ?? '', mode, ...secret});
    if (downwardAPI) return this.#addFields(pod, contents, {mode, ...downwardAPI});
    if (token && !this.#tokens.some(wish => wish.volume === volume && wish.path === token.path))
      this.#tokens.push({volume, path: token.path, audience: token.audience, seconds: token.expirationSeconds ?? 3600});
    return undefined;
  }

  *#addKeys(pod: Pod, contents: Contents, from: KeySource): Task<string | undefined> {
    const namespace = pod.metadata.namespace ?? 'default';
    const {references} = this.#facts;
    const found: Referred =
      from.kind === 'configMap'
        ? yield* references.configMap(namespace, from.name)
        : yield* references.secret(namespace, from.name);
    if ('error' in found) return found.missing && from.optional ? undefined : found.error;
    const mode = from.defaultMode ?? from.mode;
    if (!from.items) for (const [key, text] of found.data) contents.set(key, {text, mode});
    for (const item of from.items ?? []) {
      const text = found.data.get(item.key);
      if (text !== undefined) contents.set(item.path, {text, mode: item.mode ?? mode});
      else if (!from.optional)
        return from.kind === 'configMap'
          ? `configmap references non-existent config key: ${item.key}`
          : `references non-existent secret key: ${item.key}`;
    }
    return undefined;
  }

  #addFields(
    pod: Pod,
    contents: Contents,
    from: {readonly items?: NonNullable<Volume['downwardAPI']>['items']; readonly mode: number; readonly defaultMode?: number},
  ): undefined {
    const facts = this.#facts.fields();
    for (const {path, fieldRef, resourceFieldRef, mode} of from.items ?? []) {
      const container = pod.spec.containers.find(each => each.name === resourceFieldRef?.containerName);
      const text = fieldRef
        ? fieldText(pod, fieldRef.fieldPath, facts)
        : container && resourceFieldRef
          ? resourceText(container, resourceFieldRef, facts)
          : undefined;
      contents.set(path, {text: text ?? '', mode: mode ?? from.defaultMode ?? from.mode});
    }
    return undefined;
  }

  /** The volume's files, made at the first look. */
  #tree(name: string, below: string): Files {
    const state = this.#states.get(name) ?? {contents: new Map(), tree: undefined, path: '/'};
    if (!state.tree) {
      state.tree = new Files(this.#facts.wall);
      for (const [path, content] of state.contents) lay(state.tree, path, content);
    }
    const place = `${state.path === '/' ? '' : state.path}/${below}`;
    if (below !== '' && state.tree.info(place) === undefined) state.tree.makeFolder(place);
    return state.tree;
  }
}

interface KeySource {
  readonly kind: 'configMap' | 'secret';
  readonly name: string;
  readonly mode: number;
  readonly projected?: boolean;
  readonly defaultMode?: number;
  readonly optional?: boolean;
  readonly items?: readonly KeyToPath[];
}

function lay(tree: Files, path: string, content: Content): void {
  tree.place(`/${path}`, content.text, content.mode);
}

function rewrite(tree: Files, before: Contents, after: Contents): void {
  for (const path of before.keys()) if (!after.has(path)) tree.remove(`/${path}`);
  for (const [path, content] of after) if (before.get(path)?.text !== content.text) lay(tree, path, content);
}

/** Could what a volume holds change while the pod lives? */
export function canChange(volume: Volume): boolean {
  if (volume.configMap ?? volume.secret ?? volume.downwardAPI) return true;
  return (
    volume.projected?.sources?.some(
      source => (source.configMap && source.configMap.name !== 'kube-root-ca.crt') ?? source.secret,
    ) ?? false
  );
}

function checkHostPath(files: Files, path: string, type: string): string | undefined {
  const info = files.info(path);
  const failed = (what: string) => `hostPath type check failed: ${path} is not ${what}`;
  if (type === 'Directory') return info?.kind === 'folder' ? undefined : failed('a directory');
  if (type === 'File') return info?.kind === 'file' ? undefined : failed('a file');
  if (type === 'Socket') return info?.kind === 'file' ? undefined : failed('a socket file');
  if (type === 'CharDevice') return failed('a character device');
  if (type === 'BlockDevice') return failed('a block device');
  if (type === 'FileOrCreate' && !info) files.place(path, '', 0o644);
  else if (!info) files.makeFolder(path);
  return undefined;
}
