// From a manifest in the kubelet's folder to the pod that it runs: named after its node, known by a hash of what it says, with the
// defaults that the API server would give it. What cannot be a pod is refused in the kubelet's words.
//
// Not modelled: references to other objects, which a static pod may not have, are refused by their words alone; a manifest of
// another kind is named, where the real kubelet prints the whole object.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {aggregateText} from '../../../api/meta/field-error.ts';
import {stableText, sha256} from '../../../api/meta/hash.ts';
import {whyNoKind} from '../../../api/meta/version-kind.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {applyDefaults, decodeKind, typeOfKind} from '../../../api/schema/index.ts';
import {validate} from '../../../api/validation/index.ts';
import {readYaml} from '../../../api/yaml/read.ts';

const SOURCE = 'kubernetes.io/config.source';
const HASH = 'kubernetes.io/config.hash';
const SEEN = 'kubernetes.io/config.seen';
const MIRROR = 'kubernetes.io/config.mirror';

export type ManifestRead = {readonly ok: true; readonly pod: Pod} | {readonly ok: false; readonly why: string};

export interface ManifestFacts {
  readonly path: string;
  readonly node: string;
  /** When it was seen, as the annotation writes it. */
  readonly seen: string;
}

const pods = builtin('pods');

/** Reads a manifest. */
export function podOfManifest(text: string, {path, node, seen}: ManifestFacts): ManifestRead {
  const unparsed = (why: string): ManifestRead => ({
    ok: false,
    why: `${path}: couldn't parse as pod(${why}), please check config file`,
  });
  const {documents, error} = readYaml(text);
  if (error) return unparsed(error.message.replace(/^.*?(?=yaml: )/s, ''));
  const value = documents[0]?.value;
  const why = notAPod(value);
  if (why !== undefined) return unparsed(why);
  const decoded = decodeKind({apiVersion: 'v1', kind: 'Pod'}, value);
  if (!decoded?.ok) return unparsed(decoded?.error ?? '');
  const pod = completed(applyDefaults(decoded.value as AnyObject) as unknown as Pod, {path, node, seen});
  const errors = validate(pods, pod as unknown as AnyObject);
  return errors.length === 0 ? {ok: true, pod} : {ok: false, why: `invalid pod: ${aggregateText(errors)}`};
}

/** Why a value is no Pod at all. */
function notAPod(value: unknown): string | undefined {
  const why = whyNoKind(value);
  if (why !== undefined) return why;
  const {apiVersion, kind} = value as {readonly apiVersion: string; readonly kind: string};
  if (typeOfKind(apiVersion, kind) === undefined)
    return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return kind === 'Pod' && apiVersion === 'v1' ? undefined : `invalid pod: ${kind}`;
}

/** The pod as the node knows it. */
function completed(pod: Pod, {path, node, seen}: ManifestFacts): Pod {
  const {metadata, spec} = pod;
  const uid = metadata.uid || sha256(`${stableText(pod)} host:${node} file:${path}`).slice(0, 32);
  const everyEffect = {effect: 'NoExecute' as const, operator: 'Exists' as const};
  const tolerations = spec.tolerations ?? [];
  const tolerates = tolerations.some(each => each.key === undefined && each.effect === 'NoExecute' && each.operator === 'Exists');
  return Object.freeze({
    ...pod,
    metadata: Object.freeze({
      ...metadata,
      uid,
      name: `${metadata.name ?? ''}-${node.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      annotations: Object.freeze({...metadata.annotations, [HASH]: uid, [SEEN]: seen, [SOURCE]: 'file'}),
    }),
    spec: Object.freeze({...spec, nodeName: node, tolerations: tolerates ? tolerations : [...tolerations, everyEffect]}),
    status: Object.freeze({phase: 'Pending' as const}),
  });
}

/** Is it a pod of the node's own files? */
export function isStatic({metadata}: Pod): boolean {
  return metadata.annotations?.[SOURCE] === 'file';
}

/** Is it the API's picture of one? */
export function isMirror({metadata}: Pod): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

/** Is that the picture of this very pod, not of one that the manifest described before? */
export function mirrors(mirror: Pod, pod: Pod): boolean {
  return mirror.metadata.annotations?.[MIRROR] === pod.metadata.annotations?.[HASH];
}

/** What is written to the API to show a static pod. */
export function mirrorOf({metadata, spec}: Pod, owner: {readonly name: string; readonly uid: string}): AnyObject {
  const {uid: _, annotations, ...rest} = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...rest,
      annotations: {...annotations, [MIRROR]: annotations?.[HASH] ?? ''},
      ownerReferences: [{apiVersion: 'v1', kind: 'Node', name: owner.name, uid: owner.uid, controller: true}],
    },
    spec,
  } as unknown as AnyObject;
}
