// Who completes the arguments of which command, and the values of which flags. What is not listed is left to the shell, which
// offers files.
import {beginning, words, type Completer} from './answer.ts';
import type {Section} from '../config/kubeconfig.ts';
import {FILES_ENDING, NO_FILES} from './directives.ts';
import {containerOfPod, copySource, kindsAndNames, namesOf, podAndContainer, podAndPort, podsOrKinds} from './resources.ts';

const anything = kindsAndNames();
const scaled = kindsAndNames({of: ['deployment', 'replicaset', 'replicationcontroller', 'statefulset']});
const rolledOut = kindsAndNames({of: ['deployment', 'daemonset', 'statefulset']});
const deployments = kindsAndNames({of: ['deployment']});
const exposed = kindsAndNames({of: ['pod', 'service', 'replicationcontroller', 'deployment', 'replicaset']});
const withImages = kindsAndNames({
  of: ['daemonsets', 'deployments', 'pods', 'cronjobs', 'replicasets', 'replicationcontrollers', 'statefulsets'],
  single: true,
});

/** The names in one list of the kubeconfig, as the first argument. */
const inConfig =
  (section: Section): Completer =>
  ({args, begun, asking}) =>
    words(args.length === 0 ? asking.configNames(section, begun) : []);

/** The arguments of commands. */
export const ARGUMENTS: Readonly<Record<string, Completer>> = {
  'kubectl get': anything,
  'kubectl describe': anything,
  'kubectl edit': anything,
  'kubectl delete': anything,
  'kubectl patch': anything,
  'kubectl label': anything,
  'kubectl annotate': anything,
  'kubectl debug': anything,
  'kubectl apply edit-last-applied': anything,
  'kubectl apply view-last-applied': anything,
  'kubectl expose': exposed,
  'kubectl set image': withImages,
  'kubectl scale': scaled,
  'kubectl autoscale': scaled,
  'kubectl rollout history': rolledOut,
  'kubectl rollout restart': rolledOut,
  'kubectl rollout undo': rolledOut,
  'kubectl rollout status': kindsAndNames({of: ['deployment', 'daemonset', 'statefulset'], single: true}),
  'kubectl rollout pause': deployments,
  'kubectl rollout resume': deployments,
  'kubectl taint': kindsAndNames({of: ['node']}),
  'kubectl cordon': namesOf('node'),
  'kubectl uncordon': namesOf('node'),
  'kubectl drain': namesOf('node'),
  'kubectl top node': namesOf('node'),
  'kubectl top pod': namesOf('pod'),
  'kubectl create token': namesOf('serviceaccount'),
  'kubectl exec': podsOrKinds,
  'kubectl attach': podsOrKinds,
  'kubectl logs': podAndContainer,
  'kubectl port-forward': podAndPort,
  'kubectl cp': copySource,
  'kubectl config use-context': inConfig('contexts'),
  'kubectl config set-context': inConfig('contexts'),
  'kubectl config rename-context': inConfig('contexts'),
  'kubectl config delete-context': inConfig('contexts'),
  'kubectl config delete-cluster': inConfig('clusters'),
  'kubectl config delete-user': inConfig('users'),
};

/** Arguments that are the same for everyone. */
export const FIXED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'kubectl completion': ['bash', 'fish', 'powershell', 'zsh'],
};

const FORMATS =
  'json yaml kyaml name go-template go-template-file template templatefile jsonpath jsonpath-as-json jsonpath-file custom-columns custom-columns-file wide'.split(
    ' ',
  );

const formats: Completer = ({begun}) => words(beginning(FORMATS, begun));
const manifests: Completer = () => words(['json', 'yaml', 'yml'], FILES_ENDING);
const subresources: Completer = () => words(['status', 'scale', 'resize']);
const named =
  (kind: string): Completer =>
  async ({begun, asking}) =>
    words(await asking.names(kind, begun), NO_FILES);
const configured =
  (section: Section): Completer =>
  ({begun, asking}) =>
    words(asking.configNames(section, begun));

/** The values of flags that every command takes. */
const GLOBAL_VALUES: Readonly<Record<string, Completer>> = {
  namespace: named('namespace'),
  context: configured('contexts'),
  cluster: configured('clusters'),
  user: configured('users'),
};

/** The values of a command's own flags, by the command and the flag. */
const OWN_VALUES: Readonly<Record<string, Completer>> = {
  'kubectl get --output': formats,
  'kubectl get --subresource': subresources,
  'kubectl edit --subresource': subresources,
  'kubectl patch --subresource': subresources,
  'kubectl apply --subresource': subresources,
  'kubectl replace --subresource': subresources,
  'kubectl exec --container': containerOfPod,
  'kubectl create clusterrolebinding --clusterrole': named('clusterrole'),
  'kubectl config set-context --namespace': named('namespace'),
  'kubectl kustomize --load-restrictor': () => words(['LoadRestrictionsNone', 'LoadRestrictionsRootOnly']),
};

/** Who knows the values of a flag; `isOwn` is a flag that not every command has. */
export function valuesOf(path: string, flag: string, isOwn: boolean): Completer | undefined {
  if (!isOwn) return GLOBAL_VALUES[flag];
  return OWN_VALUES[`${path} --${flag}`] ?? (flag === 'filename' ? manifests : undefined);
}
