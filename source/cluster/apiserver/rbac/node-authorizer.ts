// What a kubelet may do: its own Node, the pods bound to it, and the secrets, config maps, claims and volumes that those pods
// refer to, nothing else. The relation between a node and an object is not kept as a graph: the pods of a node are few, and what a
// pod refers to is read off its spec once, as specs are frozen and shared.
//
// Everything that does not depend on such a relation is in the ClusterRole `system:node`, which is bound to nobody.
//
// Not modelled: resource claims of pods (dynamic resource allocation) and VolumeAttachments by their node.
import type {PersistentVolume, PodSpec, Volume} from '../../../api/kinds/core-v1.ts';
import type {PolicyRule} from '../../../api/kinds/rbac-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {User} from '../auth/user.ts';
import type {ResourceCache} from '../cache/resource-cache.ts';
import {NO, YES, type Access, type Decision} from './access.ts';
import type {RbacIndex} from './index.ts';
import {allows} from './rules.ts';

/** What the node authorizer looks into. */
export interface NodeKnowledge {
  readonly rbac: RbacIndex;
  readonly cacheOf: (resource: string, group?: string) => ResourceCache;
}

type Judge = (knowledge: NodeKnowledge, node: string, access: Access) => Decision;

const RELATED = new Set(['secrets', 'configmaps', 'persistentvolumeclaims']);

/** Makes the authorizer for kubelets. A reason without permission means: no, whatever RBAC says about nodes in general. */
export function nodeAuthorizer(knowledge: NodeKnowledge): (user: User, access: Access) => Decision {
  return (user, access) => {
    const {node} = user;
    if (node === undefined) return NO;
    const special =
      access.group === '' || access.group === 'coordination.k8s.io' || access.group === 'storage.k8s.io'
        ? SPECIAL[access.resource]
        : undefined;
    const decision = special?.(knowledge, node, access);
    if (decision) return decision;
    return general(knowledge, access);
  };
}

const SPECIAL: Readonly<Record<string, Judge>> = {
  secrets: related,
  configmaps: related,
  persistentvolumeclaims: related,
  persistentvolumes: related,
  serviceaccounts: tokens,
  nodes: ownNode,
  pods: ownPods,
  leases: ownLease,
  csinodes: ownCsiNode,
};

interface General {
  readonly rules: readonly PolicyRule[];
  readonly verdicts: Map<string, Decision>;
}

const generals = new WeakMap<RbacIndex, General>();

/** What the role of nodes allows without looking at the object. No rule of it names objects, so verdicts can be remembered. */
function general({rbac}: NodeKnowledge, access: Access): Decision {
  const rules = rbac.rulesOf('', {kind: 'ClusterRole', name: 'system:node'}) ?? NO_RULES;
  let known = generals.get(rbac);
  if (known?.rules !== rules) {
    known = {rules, verdicts: new Map()};
    generals.set(rbac, known);
  }
  const question =
    access.resource === ''
      ? `${access.verb} ${access.path}`
      : `${access.verb} ${access.group}/${access.resource}/${access.subresource}`;
  const verdict = known.verdicts.get(question);
  if (verdict) return verdict;
  const made = rules.some(rule => allows(rule, access)) ? YES : NO;
  if (known.verdicts.size > 1000) known.verdicts.clear();
  known.verdicts.set(question, made);
  return made;
}

const NO_RULES: readonly PolicyRule[] = [];

function no(reason: string): Decision {
  return {allowed: false, reason};
}

function related(knowledge: NodeKnowledge, node: string, access: Access): Decision {
  if (access.resource === 'persistentvolumeclaims' && access.subresource === 'status') return general(knowledge, access);
  if (!['get', 'list', 'watch'].includes(access.verb) || access.subresource !== '')
    return no('can only read resources of this type');
  if (access.name === '') return no('No Object name found');
  const found =
    access.resource === 'persistentvolumes' ? hasVolume(knowledge, node, access.name) : refersTo(knowledge, node, access);
  return found ? YES : no(`no relationship found between node '${node}' and this object`);
}

function tokens(knowledge: NodeKnowledge, node: string, access: Access): Decision {
  if (access.verb === 'get' && access.subresource === '')
    return accountUsed(knowledge, node, access) ? YES : no(`no relationship found between node '${node}' and this object`);
  if (access.subresource !== 'token' || access.verb !== 'create') return no('can only get/create tokens for pods on this node');
  if (access.name === '') return no('No Object name found');
  return accountUsed(knowledge, node, access) ? YES : no(`no relationship found between node '${node}' and this object`);
}

function ownNode(knowledge: NodeKnowledge, node: string, access: Access): Decision {
  const {verb, name, subresource} = access;
  if (!['get', 'list', 'watch'].includes(verb)) return general(knowledge, access);
  if (subresource !== '') return NO;
  if (name === node) return YES;
  return no(`node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`);
}

function ownPods(knowledge: NodeKnowledge, node: string, access: Access): Decision {
  const {verb, name, subresource, fieldSelector} = access;
  if (subresource !== '' || !['get', 'list', 'watch'].includes(verb)) return general(knowledge, access);
  if (verb === 'get' || name !== '') {
    return knowledge.cacheOf('pods').onNode(node).has(`${access.namespace}/${name}`)
      ? YES
      : no(`no relationship found between node '${node}' and this object`);
  }
  const own =
    fieldSelector?.split(',').some(each => each === `spec.nodeName=${node}` || each === `spec.nodeName==${node}`) ?? false;
  return own ? YES : no('can only list/watch pods with spec.nodeName field selector');
}

const LEASES = 'kube-node-lease';

function ownLease(knowledge: NodeKnowledge, node: string, access: Access): Decision {
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(access.verb))
    return no('can only get, create, update, patch, or delete a node lease');
  if (access.namespace !== LEASES) return no(`can only access leases in the ${JSON.stringify(LEASES)} system namespace`);
  if (access.verb !== 'create' && access.name !== node)
    return no('can only access node lease with the same name as the requesting node');
  return YES;
}

function ownCsiNode(_knowledge: NodeKnowledge, node: string, access: Access): Decision {
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(access.verb))
    return no('can only get, create, update, patch, or delete a CSINode');
  if (access.verb !== 'create' && access.name !== node)
    return no('can only access CSINode with the same name as the requesting node');
  return YES;
}

const references = new WeakMap<object, ReadonlySet<string>>();

/** What a pod refers to, as `resource name`. */
function referencesOf(spec: PodSpec): ReadonlySet<string> {
  const known = references.get(spec);
  if (known) return known;
  const made = new Set<string>();
  for (const {name} of spec.imagePullSecrets ?? []) if (name) made.add(`secrets ${name}`);
  for (const volume of spec.volumes ?? []) addVolume(made, volume);
  for (const container of [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])]) {
    for (const {configMapRef, secretRef} of container.envFrom ?? []) {
      if (configMapRef?.name) made.add(`configmaps ${configMapRef.name}`);
      if (secretRef?.name) made.add(`secrets ${secretRef.name}`);
    }
    for (const {valueFrom} of container.env ?? []) {
      if (valueFrom?.configMapKeyRef?.name) made.add(`configmaps ${valueFrom.configMapKeyRef.name}`);
      if (valueFrom?.secretKeyRef?.name) made.add(`secrets ${valueFrom.secretKeyRef.name}`);
    }
  }
  references.set(spec, made);
  return made;
}

function addVolume(made: Set<string>, volume: Volume): void {
  const {secret, configMap, persistentVolumeClaim, projected, csi} = volume;
  if (secret?.secretName) made.add(`secrets ${secret.secretName}`);
  if (configMap?.name) made.add(`configmaps ${configMap.name}`);
  if (persistentVolumeClaim) made.add(`persistentvolumeclaims ${persistentVolumeClaim.claimName}`);
  if (csi?.nodePublishSecretRef?.name) made.add(`secrets ${csi.nodePublishSecretRef.name}`);
  for (const each of projected?.sources ?? []) {
    if (each.secret?.name) made.add(`secrets ${each.secret.name}`);
    if (each.configMap?.name) made.add(`configmaps ${each.configMap.name}`);
  }
}

function refersTo({cacheOf}: NodeKnowledge, node: string, access: Access): boolean {
  if (!RELATED.has(access.resource)) return false;
  for (const {object: pod} of cacheOf('pods').onNode(node).values()) {
    if (pod.metadata.namespace !== access.namespace) continue;
    if (referencesOf(pod.spec as PodSpec).has(`${access.resource} ${access.name}`)) return true;
    if (access.resource === 'persistentvolumeclaims' && ephemeralClaims(pod).includes(access.name)) return true;
  }
  return false;
}

/** The claims that are made for a pod's own volumes. */
function ephemeralClaims(pod: AnyObject): readonly string[] {
  const {volumes = []} = pod.spec as PodSpec;
  return volumes.flatMap(volume => (volume.ephemeral ? [`${pod.metadata.name}-${volume.name}`] : []));
}

function hasVolume(knowledge: NodeKnowledge, node: string, name: string): boolean {
  const volume = knowledge.cacheOf('persistentvolumes').get(name) as PersistentVolume | undefined;
  const claim = volume?.spec?.claimRef;
  if (!claim?.name) return false;
  return refersTo(knowledge, node, {
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'persistentvolumeclaims',
    subresource: '',
    namespace: claim.namespace ?? '',
    name: claim.name,
    path: '',
  });
}

function accountUsed({cacheOf}: NodeKnowledge, node: string, access: Access): boolean {
  for (const {object: pod} of cacheOf('pods').onNode(node).values()) {
    if (pod.metadata.namespace === access.namespace && ((pod.spec as PodSpec).serviceAccountName ?? 'default') === access.name)
      return true;
  }
  return false;
}
