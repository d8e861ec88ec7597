// The describers, by group and kind. A kind without one is shown plainly.
import {describeConfigMap, describeSecret, describeServiceAccount} from './config.ts';
import type {Describer} from './describer.ts';
import {describeLimitRange, describeNamespace, describeQuota} from './namespace.ts';
import {describeNode} from './node.ts';
import {describePlainly} from './plain.ts';
import {describePod} from './pod.ts';
import {describeService} from './service.ts';
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
  ['apps/Deployment', describeDeployment],
  ['apps/ReplicaSet', describeReplicaSet],
  ['apps/DaemonSet', describeDaemonSet],
  ['apps/StatefulSet', describeStatefulSet],
]);

/** The describer of a kind. */
export function describerOf(group: string, kind: string): Describer {
  return DESCRIBERS.get(`${group}/${kind}`) ?? describePlainly;
}
