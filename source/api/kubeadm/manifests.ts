// The static pods of a kubeadm control plane: the manifests as kubeadm writes them, and the command lines in them.
import texts from '../data/kubeadm-manifests.json' with {type: 'json'};
import type {KubeadmMachine} from './certificates.ts';

/** The components that run as static pods, by the name of their manifest. */
export type StaticPodName = keyof typeof texts;

export const STATIC_PODS: readonly StaticPodName[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/** What a manifest says of one machine. */
export interface ManifestFacts {
  readonly machine: Pick<KubeadmMachine, 'name' | 'address' | 'podNetwork'>;
  /** Members of etcd that were there before, in the order of joining, with this one last. */
  readonly members: readonly Pick<KubeadmMachine, 'name' | 'address'>[];
}

const RECORDED_PODS = '10.244.0.0/16';
const RECORDED_CLUSTER = 'cp-1=https://10.0.0.10:2380';

/** The manifest of a component as text. */
export function manifestText(component: StaticPodName, {machine, members}: ManifestFacts): string {
  const cluster = members.map(({name, address}) => `${name}=https://${address}:2380`).join(',');
  const joined = members.length > 1 ? '\n    - --initial-cluster-state=existing' : '';
  return texts[component]
    .replace(RECORDED_CLUSTER, '@CLUSTER@')
    .replaceAll('10.0.0.10', machine.address)
    .replaceAll('cp-1', machine.name)
    .replace(RECORDED_PODS, machine.podNetwork)
    .replace('@CLUSTER@', cluster + joined);
}

/** A manifest with another command line. */
export function withCommand(manifest: string, command: readonly string[]): string {
  const list = command.map(word => `    - ${word}\n`).join('');
  return manifest.replace(/(\n {2}- command:\n)(?: {4}- .*\n)+/, (_, head: string) => head + list);
}

/** The command line in a manifest: the program and its flags. */
export function commandOf(manifest: string): string[] {
  const [, list = ''] = /\n {2}- command:\n((?: {4}- .*\n)+)/.exec(manifest) ?? [];
  return list
    .split('\n')
    .filter(Boolean)
    .map(line => line.slice(6));
}
