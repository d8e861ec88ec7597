// The describers, by group and kind. A kind without one is shown plainly.
import {describeIpAddress, describeServiceCidr} from './addresses.ts';
import {describeAutoscaler} from './autoscaler.ts';
import {describeConfigMap, describeSecret, describeServiceAccount} from './config.ts';
import type {Describer} from './describer.ts';
import {describeEndpoints, describeEndpointSlice} from './endpoints.ts';
import {describeIngress, describeIngressClass} from './ingress.ts';
import {describeCronJob, describeJob} from './jobs.ts';
import {describeLimitRange, describeNamespace, describeQuota} from './namespace.ts';
import {describeNetworkPolicy} from './network-policy.ts';
import {describeNode} from './node.ts';
import {describePlainly} from './plain.ts';
import {describePod} from './pod.ts';
import {describeBudget, describePriorityClass} from './policy.ts';
import {describeBinding, describeRole} from './roles.ts';
import {describeService} from './service.ts';
import {describeSigningRequest} from './signing-request.ts';
import {
  describeClaim,
  describeCsiNode,
  describePersistentVolume,
  describeStorageClass,
  describeVolumeAttributesClass,
} from './storage.ts';
import {describeDaemonSet, describeDeployment, describeReplicaSet, describeStatefulSet} from './workloads.ts';

const DESCRIBERS: ReadonlyMap<string, Describer> = new Map([
  ['/Pod', describePod],
  ['/Node', describeNode],
  ['/Namespace', describeNamespace],
  ['/Service', describeService],
  ['/ConfigMap', describeConfigMap],
  ['/Secret', describeSecret],
  ['/ServiceAccount', describeServiceAccount],
  ['/ResourceQuota', describeQuota],
  ['/LimitRange', describeLimitRange],
  ['/ReplicationController', describeReplicaSet],
  ['/Endpoints', describeEndpoints],
  ['/PersistentVolume', describePersistentVolume],
  ['/PersistentVolumeClaim', describeClaim],
  ['apps/Deployment', describeDeployment],
  ['apps/ReplicaSet', describeReplicaSet],
  ['apps/DaemonSet', describeDaemonSet],
  ['apps/StatefulSet', describeStatefulSet],
  ['autoscaling/HorizontalPodAutoscaler', describeAutoscaler],
  ['batch/CronJob', describeCronJob],
  ['batch/Job', describeJob],
  ['certificates.k8s.io/CertificateSigningRequest', describeSigningRequest],
  ['discovery.k8s.io/EndpointSlice', describeEndpointSlice],
  ['networking.k8s.io/IPAddress', describeIpAddress],
  ['networking.k8s.io/Ingress', describeIngress],
  ['networking.k8s.io/IngressClass', describeIngressClass],
  ['networking.k8s.io/NetworkPolicy', describeNetworkPolicy],
  ['networking.k8s.io/ServiceCIDR', describeServiceCidr],
  ['policy/PodDisruptionBudget', describeBudget],
  ['rbac.authorization.k8s.io/ClusterRole', describeRole],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', describeBinding],
  ['rbac.authorization.k8s.io/Role', describeRole],
  ['rbac.authorization.k8s.io/RoleBinding', describeBinding],
  ['scheduling.k8s.io/PriorityClass', describePriorityClass],
  ['storage.k8s.io/CSINode', describeCsiNode],
  ['storage.k8s.io/StorageClass', describeStorageClass],
  ['storage.k8s.io/VolumeAttributesClass', describeVolumeAttributesClass],
]);

/** The describer of a kind. */
export function describerOf(group: string, kind: string): Describer {
  return DESCRIBERS.get(`${group}/${kind}`) ?? describePlainly;
}
