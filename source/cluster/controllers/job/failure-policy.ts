// What a pod's failure means to its Job: the first rule of the policy that fits decides; without one it counts.
import type {Job, PodFailurePolicyRule} from '../../../api/kinds/batch-v1.ts';
import type {ContainerStatus, Pod} from '../../../api/kinds/core-v1.ts';

/** What to do about a failed pod. */
export interface FailureVerdict {
  readonly action: PodFailurePolicyRule['action'];
  /** Why a Job fails by it. */
  readonly message: string;
}

const COUNT: FailureVerdict = {action: 'Count', message: ''};

/** Judges a failed pod. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  const {namespace, name} = pod.metadata;
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const container = rule.onExitCodes && containerByExitCode(pod, rule.onExitCodes);
    if (container) {
      const code = container.state?.terminated?.exitCode;
      const words = `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code}`;
      return {action: rule.action, message: `${words} matching ${rule.action} rule at index ${index}`};
    }
    const condition = rule.onPodConditions?.find(pattern =>
      pod.status?.conditions?.some(each => each.type === pattern.type && each.status === (pattern.status ?? 'True')),
    );
    if (condition) {
      const words = `Pod ${namespace}/${name} has condition ${condition.type}`;
      return {action: rule.action, message: `${words} matching ${rule.action} rule at index ${index}`};
    }
  }
  return COUNT;
}

function containerByExitCode(pod: Pod, rule: NonNullable<PodFailurePolicyRule['onExitCodes']>): ContainerStatus | undefined {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return all.find(({name, state}) => {
    const code = state?.terminated?.exitCode;
    if (code === undefined || code === 0 || (rule.containerName && rule.containerName !== name)) return false;
    return rule.values.includes(code) === (rule.operator === 'In');
  });
}
