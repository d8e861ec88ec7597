// What a kubelet tells of measurements, in the two forms that others read: the summary as JSON, and metrics as text.
//
// Not modelled: network traffic, block devices, inodes, and the kubelet's own counters beyond what it runs.
import type {UsageSummary, Usage} from '../../../api/wire/kubelet.ts';
import type {KubeletParts} from '../surroundings.ts';

const stamp = (ms: number) => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** `/stats/summary` */
export function summaryJson({node, pods}: UsageSummary, {config}: KubeletParts): unknown {
  return {
    node: {nodeName: config.name, startTime: stamp(node.at - node.cpuSeconds * 1000), ...measured(node)},
    pods: pods.map(({namespace, name, uid, startedAt, containers}) => {
      const sum = (of: (usage: Usage) => number) => containers.reduce((total, each) => total + of(each), 0);
      const whole = {
        cpuCores: sum(each => each.cpuCores),
        cpuSeconds: sum(each => each.cpuSeconds),
        memoryBytes: sum(each => each.memoryBytes),
        at: node.at,
      };
      const startTime = stamp(startedAt);
      return {
        podRef: {name, namespace, uid},
        startTime,
        containers: containers.map(each => ({name: each.name, startTime, ...measured(each)})),
        ...measured(whole),
      };
    }),
  };
}

function measured({cpuCores, cpuSeconds, memoryBytes, at}: Usage) {
  const time = stamp(at);
  return {
    cpu: {time, usageNanoCores: Math.round(cpuCores * 1e9), usageCoreNanoSeconds: Math.round(cpuSeconds * 1e9)},
    memory: {time, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes},
  };
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly (readonly [Readonly<Record<string, string>>, number])[];
}

/** `/metrics/resource`: what autoscalers need. */
export function resourceMetrics({node, pods}: UsageSummary): string {
  const perContainer = (of: (usage: Usage) => number) =>
    pods.flatMap(({namespace, name: pod, containers}) =>
      containers.map(each => [{container: each.name, namespace, pod}, of(each)] as const),
    );
  const perPod = (of: (usage: Usage) => number) =>
    pods.map(
      ({namespace, name: pod, containers}) => [{namespace, pod}, containers.reduce((sum, each) => sum + of(each), 0)] as const,
    );
  const cpu = ({cpuSeconds}: Usage) => cpuSeconds;
  const memory = ({memoryBytes}: Usage) => memoryBytes;
  const started = pods.flatMap(({namespace, name: pod, startedAt, containers}) =>
    containers.map(each => [{container: each.name, namespace, pod}, startedAt / 1000] as const),
  );
  const counter = (name: string, whose: string, samples: Family['samples']): Family => ({
    name: `${name}_cpu_usage_seconds_total`,
    help: `[STABLE] Cumulative cpu time consumed by the ${whose} in core-seconds`,
    type: 'counter',
    samples,
  });
  const gauge = (name: string, whose: string, samples: Family['samples']): Family => ({
    name: `${name}_memory_working_set_bytes`,
    help: `[STABLE] Current working set of the ${whose} in bytes`,
    type: 'gauge',
    samples,
  });
  return textOf(
    [
      counter('container', 'container', perContainer(cpu)),
      gauge('container', 'container', perContainer(memory)),
      {
        name: 'container_start_time_seconds',
        help: '[STABLE] Start time of the container since unix epoch in seconds',
        type: 'gauge',
        samples: started,
      },
      counter('node', 'node', [[{}, node.cpuSeconds]]),
      gauge('node', 'node', [[{}, node.memoryBytes]]),
      counter('pod', 'pod', perPod(cpu)),
      gauge('pod', 'pod', perPod(memory)),
      {
        name: 'resource_scrape_error',
        help: '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
        type: 'gauge',
        samples: [[{}, 0]],
      },
    ],
    node.at,
  );
}

/** `/metrics`: what the kubelet says of itself. */
export function ownMetrics({pods}: UsageSummary, {config}: KubeletParts): string {
  const containers = pods.reduce((sum, pod) => sum + pod.containers.length, 0);
  return textOf([
    {
      name: 'kubelet_node_name',
      help: "[ALPHA] The node's name. The count is always 1.",
      type: 'gauge',
      samples: [[{node: config.name}, 1]],
    },
    {
      name: 'kubelet_running_containers',
      help: '[ALPHA] Number of containers currently running',
      type: 'gauge',
      samples: [[{container_state: 'running'}, containers]],
    },
    {
      name: 'kubelet_running_pods',
      help: '[ALPHA] Number of pods that have a running pod sandbox',
      type: 'gauge',
      samples: [[{}, pods.length]],
    },
    {
      name: 'kubernetes_build_info',
      help: "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      type: 'gauge',
      samples: [[{git_version: config.nodeInfo.kubeletVersion, major: '1', minor: '35', platform: 'linux/amd64'}, 1]],
    },
  ]);
}

/** `/metrics/cadvisor`: containers as the collector of the machine names them. */
export function cadvisorMetrics({pods, node}: UsageSummary, {config}: KubeletParts): string {
  const each = (of: (usage: Usage) => number, more: Readonly<Record<string, string>>) =>
    pods.flatMap(({namespace, name: pod, uid, containers}) =>
      containers.map(
        usage => [{container: usage.name, ...more, id: `/kubepods/pod${uid}/${usage.name}`, namespace, pod}, of(usage)] as const,
      ),
    );
  const cpus = Number.parseFloat(config.capacity['cpu'] ?? '0');
  return textOf(
    [
      {
        name: 'container_cpu_usage_seconds_total',
        help: 'Cumulative cpu time consumed in seconds.',
        type: 'counter',
        samples: each(({cpuSeconds}) => cpuSeconds, {cpu: 'total'}),
      },
      {
        name: 'container_memory_working_set_bytes',
        help: 'Current working set in bytes.',
        type: 'gauge',
        samples: each(({memoryBytes}) => memoryBytes, {}),
      },
      {name: 'machine_cpu_cores', help: 'Number of logical CPU cores.', type: 'gauge', samples: [[{}, cpus]]},
    ],
    node.at,
  );
}

function textOf(families: readonly Family[], at?: number): string {
  const time = at === undefined ? '' : ` ${Math.round(at)}`;
  return families
    .filter(({samples}) => samples.length > 0)
    .map(({name, help, type, samples}) => {
      const lines = samples.map(([labels, value]) => {
        const inside = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
        const dated = name.endsWith('_error') ? '' : time;
        return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}${dated}\n`;
      });
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}
