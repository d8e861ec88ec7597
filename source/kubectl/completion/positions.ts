// What the arguments of commands are, for completion.

/** Commands whose first argument is a pod, or a workload as `TYPE/NAME`. */
export const PODS_FIRST: ReadonlySet<string> = new Set([
  'kubectl logs',
  'kubectl exec',
  'kubectl attach',
  'kubectl port-forward',
  'kubectl debug',
]);

/** Commands whose first argument is a kind, and whose others are names of it. */
export const KINDS_FIRST: ReadonlySet<string> = new Set([
  'kubectl get',
  'kubectl describe',
  'kubectl delete',
  'kubectl edit',
  'kubectl label',
  'kubectl annotate',
  'kubectl patch',
  'kubectl scale',
  'kubectl expose',
  'kubectl wait',
  'kubectl autoscale',
  'kubectl explain',
  'kubectl rollout status',
  'kubectl rollout history',
  'kubectl rollout undo',
  'kubectl rollout restart',
  'kubectl rollout pause',
  'kubectl rollout resume',
  'kubectl set image',
  'kubectl set env',
  'kubectl set resources',
  'kubectl set serviceaccount',
  'kubectl set selector',
  'kubectl apply view-last-applied',
  'kubectl apply edit-last-applied',
]);

/** The kinds that are rolled out. */
export const ROLLED_OUT: readonly string[] = ['deployment', 'daemonset', 'statefulset'];

/** What flags may be set to, where that is known. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  output: ['wide', 'yaml', 'json', 'name', 'jsonpath=', 'custom-columns='],
  'dry-run': ['none', 'client', 'server'],
  cascade: ['background', 'foreground', 'orphan'],
  restart: ['Always', 'OnFailure', 'Never'],
  types: ['Normal', 'Warning'],
  for: ['condition=', 'delete', 'create', 'jsonpath='],
  type: ['strategic', 'merge', 'json'],
  'sort-by': ['.metadata.name', '.metadata.creationTimestamp'],
};
