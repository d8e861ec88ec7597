// What Deployments, ReplicaSets, DaemonSets, StatefulSets and replication controllers get.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../../kinds/apps-v1.ts';
import type {PersistentVolumeClaim, PodTemplate, ReplicationController} from '../../kinds/core-v1.ts';
import {change, each, fill} from './fill.ts';
import {defaultTemplate} from './pod.ts';
import {defaultClaim} from './storage.ts';

/** A quarter more and a quarter less, at most, while it rolls. */
export function defaultDeployment(deployment: Deployment): Deployment {
  return change(deployment, 'spec', spec => {
    let out = fill(spec, {replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600});
    out = change(out, 'template', defaultTemplate);
    return change(fill(out, {strategy: NOTHING}), 'strategy', strategy => {
      const typed = fill(strategy, {type: 'RollingUpdate'});
      if (typed.type !== 'RollingUpdate') return typed;
      return change(fill(typed, {rollingUpdate: NOTHING}), 'rollingUpdate', rolling =>
        fill(rolling, {maxUnavailable: '25%', maxSurge: '25%'}),
      );
    });
  });
}

const NOTHING = Object.freeze({});

export function defaultReplicaSet(set: ReplicaSet): ReplicaSet {
  return change(set, 'spec', spec => change(fill(spec, {replicas: 1}), 'template', defaultTemplate));
}

export function defaultDaemonSet(set: DaemonSet): DaemonSet {
  return change(set, 'spec', spec => {
    const out = change(fill(spec, {revisionHistoryLimit: 10, updateStrategy: NOTHING}), 'template', defaultTemplate);
    return change(out, 'updateStrategy', strategy => {
      const typed = fill(strategy, {type: 'RollingUpdate'});
      if (typed.type !== 'RollingUpdate') return typed;
      return change(fill(typed, {rollingUpdate: NOTHING}), 'rollingUpdate', rolling =>
        fill(rolling, {maxUnavailable: 1, maxSurge: 0}),
      );
    });
  });
}

export function defaultStatefulSet(set: StatefulSet): StatefulSet {
  return change(set, 'spec', spec => {
    let out = fill(spec, {
      replicas: 1,
      revisionHistoryLimit: 10,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: NOTHING,
      persistentVolumeClaimRetentionPolicy: NOTHING,
    });
    out = change(out, 'template', defaultTemplate);
    out = change(out, 'persistentVolumeClaimRetentionPolicy', policy =>
      fill(policy, {whenDeleted: 'Retain', whenScaled: 'Retain'}),
    );
    out = change(out, 'volumeClaimTemplates', list => each(list, defaultClaimTemplate));
    return change(out, 'updateStrategy', strategy => {
      const typed = fill(strategy, {type: 'RollingUpdate'});
      if (typed.type !== 'RollingUpdate') return typed;
      return change(fill(typed, {rollingUpdate: NOTHING}), 'rollingUpdate', rolling => fill(rolling, {partition: 0}));
    });
  });
}

/** A claim in a template says its kind, though nobody asked. */
function defaultClaimTemplate(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return defaultClaim(fill(claim, {apiVersion: 'v1', kind: 'PersistentVolumeClaim'}));
}

/** Labels and selector come from the template. */
export function defaultReplicationController(controller: ReplicationController): ReplicationController {
  const labels = controller.spec.template?.metadata?.labels;
  const out = change(controller, 'spec', spec => {
    const filled = fill(spec, {replicas: 1, ...(labels ? {selector: labels} : {})});
    return change(filled, 'template', defaultTemplate);
  });
  return labels ? change(out, 'metadata', metadata => fill(metadata, {labels})) : out;
}

export function defaultPodTemplate(template: PodTemplate): PodTemplate {
  return change(template, 'template', defaultTemplate);
}
