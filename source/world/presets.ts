// The clusters that levels start from: their machines. Names, sizes and addresses are those of the recordings' clusters.
import type {NodeDescription} from './description.ts';

export type PresetName = 'solo' | 'trio' | 'ha' | 'nine' | 'one';

const NODE_INFO: NodeDescription['nodeInfo'] = {
  architecture: 'amd64',
  bootID: '',
  containerRuntimeVersion: 'containerd://2.1.5',
  kernelVersion: '6.12.0',
  kubeProxyVersion: '',
  kubeletVersion: 'v1.35.4',
  machineID: '',
  operatingSystem: 'linux',
  osImage: 'Debian GNU/Linux 13 (trixie)',
  systemUUID: '',
};

interface Size {
  readonly cpu: string;
  readonly memory: string;
}

function machine(name: string, address: string, size: Size): NodeDescription {
  const capacity = {cpu: size.cpu, memory: size.memory, pods: '110', 'ephemeral-storage': '100Gi'};
  const labels = {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
  return {name, address, labels, taints: [], capacity, allocatable: capacity, controlPlane: false, nodeInfo: NODE_INFO};
}

function controlPlane(name: string, address: string): NodeDescription {
  const plain = machine(name, address, {cpu: '2', memory: '4Gi'});
  const labels = {
    ...plain.labels,
    'node-role.kubernetes.io/control-plane': '',
    'node.kubernetes.io/exclude-from-external-load-balancers': '',
  };
  return {...plain, labels, taints: [{key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule'}], controlPlane: true};
}

function inZone(node: NodeDescription, zone: string): NodeDescription {
  return {...node, labels: {...node.labels, 'topology.kubernetes.io/zone': zone}};
}

const small = {cpu: '2', memory: '4Gi'};
const middle = {cpu: '4', memory: '8Gi'};
const large = {cpu: '16', memory: '64Gi'};
const three = [1, 2, 3] as const;
const workers = three.map(n => inZone(machine(`node-${n}`, `10.0.0.2${n}`, middle), 'abc'[n - 1] ?? ''));
const stacked = three.map(n => controlPlane(`cp-${n}`, `10.0.0.1${n}`));
const gpus = three.map(n => ({
  ...machine(`gpu-${n}`, `10.0.0.3${n}`, large),
  taints: [{key: 'dedicated', value: 'gpu', effect: 'NoSchedule' as const}],
}));

/** The machines of each preset. */
export const PRESETS: Readonly<Record<PresetName, readonly NodeDescription[]>> = {
  solo: [controlPlane('cp-1', '10.0.0.10'), machine('node-1', '10.0.0.21', small), machine('node-2', '10.0.0.22', small)],
  trio: [controlPlane('cp-1', '10.0.0.10'), ...workers],
  ha: [...stacked, ...workers],
  nine: [...stacked, ...workers, ...gpus],
  one: [{...machine('node-1', '10.0.0.21', middle), controlPlane: true}],
};

export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name);
}

/** What a machine says of itself where a list of nodes does not. */
export {NODE_INFO as DEFAULT_NODE_INFO};
