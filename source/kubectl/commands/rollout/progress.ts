// How far a rollout has come, in a sentence for each kind.
import type {DaemonSet, Deployment, StatefulSet} from '../../../api/kinds/apps-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {splitApiVersion, type AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {groupKind} from './targets.ts';

/** The sentence, and whether the rollout is over. */
export interface Progress {
  readonly text: string;
  readonly done: boolean;
}

const going = (text: string): Progress => ({text, done: false});
const over = (text: string): Progress => ({text, done: true});

/** How far it has come, or why it never will. */
export function progressOf(object: AnyObject, revision: number): Progress | Failure {
  if (object.kind === 'Deployment') return deploymentProgress(object as unknown as Deployment, revision);
  const strategy = (object.spec as {updateStrategy?: {type?: string}} | undefined)?.updateStrategy?.type;
  if (object.kind !== 'DaemonSet' && object.kind !== 'StatefulSet')
    return fail(
      `no status viewer has been implemented for ${groupKind({kind: object.kind, ...splitApiVersion(object.apiVersion)})}`,
    );
  if (strategy !== 'RollingUpdate') return fail('rollout status is only available for RollingUpdate strategy type');
  return object.kind === 'DaemonSet'
    ? daemonSetProgress(object as unknown as DaemonSet)
    : statefulSetProgress(object as unknown as StatefulSet);
}

function deploymentProgress({metadata, spec, status}: Deployment, revision: number): Progress | Failure {
  const running = Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
  if (revision > 0 && revision !== running)
    return fail(`desired revision (${revision}) is different from the running revision (${running})`);
  if ((metadata.generation ?? 0) > (status?.observedGeneration ?? 0))
    return going('Waiting for deployment spec update to be observed...\n');
  const name = JSON.stringify(metadata.name);
  if (findCondition(status?.conditions, 'Progressing')?.reason === 'ProgressDeadlineExceeded')
    return fail(`deployment ${name} exceeded its progress deadline`);
  const wanted = spec?.replicas ?? 0;
  const {updatedReplicas = 0, replicas = 0, availableReplicas = 0} = status ?? {};
  const waiting = `Waiting for deployment ${name} rollout to finish:`;
  if (updatedReplicas < wanted)
    return going(`${waiting} ${updatedReplicas} out of ${wanted} new replicas have been updated...\n`);
  if (replicas > updatedReplicas)
    return going(`${waiting} ${replicas - updatedReplicas} old replicas are pending termination...\n`);
  if (availableReplicas < updatedReplicas)
    return going(`${waiting} ${availableReplicas} of ${updatedReplicas} updated replicas are available...\n`);
  return over(`deployment ${name} successfully rolled out\n`);
}

function daemonSetProgress({metadata, status}: DaemonSet): Progress {
  if ((metadata.generation ?? 0) > (status?.observedGeneration ?? 0))
    return going('Waiting for daemon set spec update to be observed...\n');
  const name = JSON.stringify(metadata.name);
  const {desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0, numberAvailable: available = 0} = status ?? {};
  if (updated < wanted)
    return going(`Waiting for daemon set ${name} rollout to finish: ${updated} out of ${wanted} new pods have been updated...\n`);
  if (available < wanted)
    return going(`Waiting for daemon set ${name} rollout to finish: ${available} of ${wanted} updated pods are available...\n`);
  return over(`daemon set ${name} successfully rolled out\n`);
}

function statefulSetProgress({metadata, spec, status}: StatefulSet): Progress {
  const observed = status?.observedGeneration ?? 0;
  if (observed === 0 || (metadata.generation ?? 0) > observed)
    return going('Waiting for statefulset spec update to be observed...\n');
  const wanted = spec?.replicas ?? 0;
  const {readyReplicas = 0, updatedReplicas = 0, currentReplicas = 0, updateRevision = '', currentRevision = ''} = status ?? {};
  if (readyReplicas < wanted) return going(`Waiting for ${wanted - readyReplicas} pods to be ready...\n`);
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling) {
    const left = wanted - (rolling.partition ?? 0);
    if (rolling.partition !== undefined && updatedReplicas < left)
      return going(
        `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${left} new pods have been updated...\n`,
      );
    return over(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...\n`);
  }
  if (updateRevision !== currentRevision)
    return going(`waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...\n`);
  return over(`statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...\n`);
}
