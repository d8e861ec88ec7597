// NodeRestriction: what a kubelet may write. Its own Node, but not its taints or the labels that others rely on; the status of pods on
// its node; mirror pods; tokens for pods that it runs.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {TokenRequest} from '../../../api/kinds/authentication-v1.ts';
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {forbidden} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import {sameValue} from '../registry/equal.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {forbid, isMirror, specOf} from './pod-object.ts';
import {hasConfigMaps, hasSecrets} from './pod-references.ts';

type Judge = (attributes: Attributes, node: string) => Refused | undefined;

export const nodeRestriction: Plugin = {
  name: 'NodeRestriction',
  optional: true,
  resources: ['pods', 'nodes', 'serviceaccounts', 'leases.coordination.k8s.io', 'csinodes.storage.k8s.io'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: ['*'],
  validate(attributes) {
    const {user, served} = attributes.write;
    return user.node === undefined ? undefined : JUDGES[served.facts.resource]?.(attributes, user.node);
  },
};

const JUDGES: Readonly<Record<string, Judge>> = {
  pods: judgePod,
  nodes: judgeNode,
  serviceaccounts: judgeToken,
  leases: judgeLease,
  csinodes: judgeCsiNode,
};

function no(attributes: Attributes, object: AnyObject | undefined, why: string): Refused {
  return object
    ? forbid(attributes, object, why)
    : refuse(forbidden(attributes.write.served.facts, attributes.write.info.name, why));
}

function judgePod(attributes: Attributes, node: string): Refused | undefined {
  const {
    operation,
    object,
    old,
    write: {subresource},
  } = attributes;
  const own = (pod: AnyObject | undefined): boolean => pod !== undefined && specOf(pod).nodeName === node;
  if (subresource === 'eviction') return undefined;
  if (operation === 'CREATE' && object) return judgeNewPod(attributes, object, node);
  if (operation === 'DELETE')
    return own(old)
      ? undefined
      : no(attributes, old, `node ${JSON.stringify(node)} can only delete pods with spec.nodeName set to itself`);
  if (subresource !== 'status')
    return no(
      attributes,
      object,
      `unexpected operation "UPDATE", node ${JSON.stringify(node)} can only create and delete mirror pods`,
    );
  if (!own(old))
    return no(
      attributes,
      object,
      `node ${JSON.stringify(node)} can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (!sameValue(object?.metadata.labels, old?.metadata.labels))
    return no(attributes, object, `node ${JSON.stringify(node)} cannot update labels through pod status`);
  return undefined;
}

function judgeNewPod(attributes: Attributes, object: AnyObject, node: string): Refused | undefined {
  const quoted = JSON.stringify(node);
  if (!isMirror(object))
    return no(
      attributes,
      object,
      `pod does not have "kubernetes.io/config.mirror" annotation, node ${quoted} can only create mirror pods`,
    );
  const {metadata, spec} = object as unknown as Pod;
  if (spec?.nodeName !== node)
    return no(attributes, object, `node ${quoted} can only create pods with spec.nodeName set to itself`);
  const owned = wrongOwner(metadata.ownerReferences ?? [], attributes, node);
  if (owned !== undefined) return no(attributes, object, owned);
  const refers = (what: string): Refused => no(attributes, object, `node ${quoted} can not create pods that reference ${what}`);
  if (spec.serviceAccountName) return refers('a service account');
  if (hasSecrets(spec)) return refers('secrets');
  if (hasConfigMaps(spec)) return refers('configmaps');
  for (const {projected, persistentVolumeClaim} of spec.volumes ?? []) {
    if (projected?.sources?.some(source => source.clusterTrustBundle)) return refers('clustertrustbundles');
    if (persistentVolumeClaim) return refers('persistentvolumeclaims');
  }
  return (spec.resourceClaims?.length ?? 0) > 0 ? refers('resourceclaims') : undefined;
}

/** A mirror pod belongs to its node and to nothing else. */
function wrongOwner(owners: readonly OwnerReference[], {write}: Attributes, node: string): string | undefined {
  const quoted = JSON.stringify(node);
  const [owner] = owners;
  if (owners.length > 1) return `node ${quoted} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node ${quoted} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true) return `node ${quoted} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  const uid = write.core.resources.of('nodes').cache.get(node)?.metadata.uid ?? '';
  return owner.uid === uid ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`;
}

function judgeNode(attributes: Attributes, node: string): Refused | undefined {
  const {
    operation,
    object,
    old,
    write: {info},
  } = attributes;
  const name = object?.metadata.name ?? info.name;
  const quoted = JSON.stringify(node);
  if (name !== node) return no(attributes, object, `node ${quoted} is not allowed to modify node ${JSON.stringify(name)}`);
  if (!object) return undefined;
  const changed = forbiddenLabels(object, operation === 'CREATE' ? undefined : old);
  if (changed.length > 0)
    return no(
      attributes,
      object,
      `is not allowed to ${operation === 'CREATE' ? 'set the following' : 'modify'} labels: ${changed.join(', ')}`,
    );
  if (operation !== 'UPDATE') return undefined;
  const taints = (each: AnyObject | undefined): unknown => (each as unknown as Node | undefined)?.spec?.taints ?? [];
  if (!sameValue(taints(object), taints(old))) return no(attributes, object, `node ${quoted} is not allowed to modify taints`);
  const owners = (each: AnyObject | undefined): unknown => each?.metadata.ownerReferences ?? [];
  if (!sameValue(owners(object), owners(old)))
    return no(attributes, object, `node ${quoted} is not allowed to modify ownerReferences`);
  return undefined;
}

const ALLOWED_LABELS = new Set([
  'kubernetes.io/hostname',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'kubernetes.io/os',
  'kubernetes.io/arch',
]);

/** Labels of Kubernetes' own domains that a kubelet sets or changes and must not. */
function forbiddenLabels(object: AnyObject, old: AnyObject | undefined): readonly string[] {
  const now = object.metadata.labels ?? {};
  const before = old?.metadata.labels ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...names].filter(name => now[name] !== before[name] && !mayLabel(name)).sort();
}

function mayLabel(name: string): boolean {
  const domain = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
  const within = (suffix: string): boolean => domain === suffix || domain.endsWith(`.${suffix}`);
  if (within('node-restriction.kubernetes.io')) return false;
  if (!within('kubernetes.io') && !within('k8s.io')) return true;
  return ALLOWED_LABELS.has(name) || within('kubelet.kubernetes.io') || within('node.kubernetes.io');
}

function judgeToken(attributes: Attributes, node: string): Refused | undefined {
  const {write, object} = attributes;
  if (write.subresource !== 'token') return undefined;
  const reference = (object as unknown as TokenRequest).spec.boundObjectRef;
  const refused = (why: string): Refused => refuse(forbidden(write.served.facts, write.info.name, why));
  if (!reference || reference.kind !== 'Pod' || !reference.name) return refused('node requested token not bound to a pod');
  if (!reference.uid) return refused('node requested token with a pod binding without a uid');
  const pod = write.core.resources.of('pods').cache.get(`${write.info.namespace}/${reference.name}`);
  if (!pod) return refused(`pod ${JSON.stringify(reference.name)} not found`);
  if (pod.metadata.uid !== reference.uid)
    return refused(
      `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  return specOf(pod).nodeName === node ? undefined : refused('node requested token bound to a pod scheduled on a different node');
}

function judgeLease(attributes: Attributes, node: string): Refused | undefined {
  const {
    object,
    write: {info},
  } = attributes;
  if (info.namespace !== 'kube-node-lease')
    return no(attributes, object, 'can only access leases in the "kube-node-lease" system namespace');
  const name = object?.metadata.name ?? info.name;
  return name === node
    ? undefined
    : no(attributes, object, 'can only access node lease with the same name as the requesting node');
}

function judgeCsiNode(attributes: Attributes, node: string): Refused | undefined {
  const {
    object,
    write: {info},
  } = attributes;
  return (object?.metadata.name ?? info.name) === node
    ? undefined
    : no(attributes, object, 'can only access CSINode with the same name as the requesting node');
}
