// What the kubelet refuses in a configuration whose types are right: values out of their ranges, words that it does not know, fields
// that contradict each other. It tells all of it, in this order, and not where the file is.
//
// Not judged: cgroup and CPU sets, reserved memory, taints at registration, logging and tracing: nothing of them is simulated.
import type {Fields} from '../../api/meta/fields.ts';
import {aggregated, goQuote, goValue} from '../../api/meta/go-text.ts';
import {spanOf} from './flag-values.ts';

/** What is wrong with one thing. */
type Rule = (config: Fields) => readonly string[];

const RULES: readonly Rule[] = [
  least('nodeLeaseDurationSeconds', 1, () => 'nodeLeaseDurationSeconds must be greater than 0'),
  config =>
    config['systemCgroups'] && !config['cgroupRoot']
      ? ['systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified']
      : [],
  least('eventBurst', 0, value => `eventBurst (--event-burst) ${value} must not be a negative number`),
  least('eventRecordQPS', 0, value => `eventRecordQPS (--event-qps) ${value} must not be a negative number`),
  between('healthzPort', [0, 65_535], value => `healthzPort (--healthz-port) ${value} must be between 1 and 65535, inclusive`),
  imageThresholds,
  negativeAge('imageMinimumGCAge'),
  negativeAge('imageMaximumGCAge'),
  between(
    'iptablesDropBit',
    [0, 31],
    value => `iptablesDropBit (--iptables-drop-bit) ${value} must be between 0 and 31, inclusive`,
  ),
  between(
    'iptablesMasqueradeBit',
    [0, 31],
    value => `iptablesMasqueradeBit (--iptables-masquerade-bit) ${value} must be between 0 and 31, inclusive`,
  ),
  least('kubeAPIBurst', 0, value => `kubeAPIBurst (--kube-api-burst) ${value} must not be a negative number`),
  least('kubeAPIQPS', 0, value => `kubeAPIQPS (--kube-api-qps) ${value} must not be a negative number`),
  least('nodeStatusMaxImages', -1, value => `nodeStatusMaxImages (--node-status-max-images) ${value} must be -1 or greater`),
  least('maxOpenFiles', 0, value => `maxOpenFiles (--max-open-files) ${value} must not be a negative number`),
  least('maxPods', 0, value => `maxPods (--max-pods) ${value} must not be a negative number`),
  between(
    'oomScoreAdj',
    [-1000, 1000],
    value => `oomScoreAdj (--oom-score-adj) ${value} must be between -1000 and 1000, inclusive`,
  ),
  least('podsPerCore', 0, value => `podsPerCore (--pods-per-core) ${value} must not be a negative number`),
  between('port', [0, 65_535], value => `port (--port) ${value} must be between 1 and 65535, inclusive`),
  between(
    'readOnlyPort',
    [0, 65_535],
    value => `readOnlyPort (--read-only-port) ${value} must be between 0 and 65535, inclusive`,
  ),
  least('registryBurst', 0, value => `registryBurst (--registry-burst) ${value} must not be a negative number`),
  least('registryPullQPS', 0, value => `registryPullQPS (--registry-qps) ${value} must not be a negative number`),
  parallelPulls,
  config =>
    config['runOnce'] === true ? ['runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set'] : [],
  oneOf(
    'topologyManagerPolicy',
    ['none', 'best-effort', 'restricted', 'single-numa-node'],
    (value, all) => `topologyManagerPolicy (--topology-manager-policy) ${value} must be one of: [${all.map(goQuote).join(' ')}]`,
  ),
  oneOf(
    'topologyManagerScope',
    ['container', 'pod'],
    value => `topologyManagerScope (--topology-manager-scope) ${value} must be one of: "container", or "pod"`,
  ),
  shutdown,
  config => {
    const behavior = (config['memorySwap'] as Fields | undefined)?.['swapBehavior'];
    if (typeof behavior !== 'string' || ['', 'NoSwap', 'LimitedSwap'].includes(behavior)) return [];
    return [`memorySwap.swapBehavior ${goQuote(behavior)} must be one of: "", "LimitedSwap" or "NoSwap"`];
  },
  oneOf(
    'hairpinMode',
    ['none', 'hairpin-veth', 'promiscuous-bridge'],
    value =>
      `option ${value} specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"`,
  ),
  config => (config['containerRuntimeEndpoint'] === '' ? ['the containerRuntimeEndpoint was not specified or empty'] : []),
  least('containerLogMaxWorkers', 1, () => 'containerLogMaxWorkers must be greater than or equal to 1'),
  config =>
    secondsOf(config, 'containerLogMonitorInterval', 10) < 3
      ? ['containerLogMonitorInterval must be a positive time duration greater than or equal to 3s']
      : [],
  least('containerLogMaxFiles', 2, () => 'containerLogMaxFiles must be greater than 1'),
];

/** Why the kubelet ends; undefined where all is well. */
export function whyInvalid(config: Fields): string | undefined {
  const words = aggregated(RULES.flatMap(rule => rule(config)).map(each => `invalid configuration: ${each}`));
  return words === undefined
    ? undefined
    : `failed to validate kubelet configuration, error: ${words}, path: &TypeMeta{Kind:,APIVersion:,}`;
}

function least(field: string, lowest: number, says: (value: number) => string): Rule {
  return between(field, [lowest, Infinity], says);
}

/** A field that is not given has its standard value, which is right. */
function between(field: string, [lowest, highest]: readonly [number, number], says: (value: number) => string): Rule {
  return config => {
    const value = config[field];
    return typeof value === 'number' && (value < lowest || value > highest) ? [says(value)] : [];
  };
}

function oneOf(field: string, words: readonly string[], says: (value: string, words: readonly string[]) => string): Rule {
  return config => {
    const value = config[field];
    return typeof value === 'string' && value !== '' && !words.includes(value) ? [says(goQuote(value), words)] : [];
  };
}

function negativeAge(field: string): Rule {
  return config => (secondsOf(config, field, 0) < 0 ? [`${field} ${goValue(config[field])} must not be negative`] : []);
}

const HIGH = 'imageGCHighThresholdPercent (--image-gc-high-threshold)';
const LOW = 'imageGCLowThresholdPercent (--image-gc-low-threshold)';

function imageThresholds(config: Fields): readonly string[] {
  const high = Number(config['imageGCHighThresholdPercent'] ?? 85);
  const low = Number(config['imageGCLowThresholdPercent'] ?? 80);
  const outside = (value: number) => value < 0 || value > 100;
  return [
    ...(outside(high) ? [`${HIGH} ${high} must be between 0 and 100, inclusive`] : []),
    ...(outside(low) ? [`${LOW} ${low} must be between 0 and 100, inclusive`] : []),
    ...(low >= high ? [`${LOW} ${low} must be less than ${HIGH} ${high}`] : []),
  ];
}

function parallelPulls(config: Fields): readonly string[] {
  const most = config['maxParallelImagePulls'];
  if (typeof most !== 'number') return [];
  if (most < 1) return [`maxParallelImagePulls ${most} must be a positive number`];
  if (most === 1 || config['serializeImagePulls'] === false) return [];
  return ['maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false'];
}

function shutdown(config: Fields): readonly string[] {
  const whole = secondsOf(config, 'shutdownGracePeriod', 0);
  const critical = secondsOf(config, 'shutdownGracePeriodCriticalPods', 0);
  const shown = (field: string) => `${field} {${typeof config[field] === 'string' ? config[field] : '0s'}}`;
  const broken = (seconds: number) => seconds < 0 || (seconds > 0 && seconds < 1);
  const tooShort = (field: string) => `${shown(field)} must be either zero or otherwise >= 1 sec`;
  return [
    ...(critical > whole ? [`${shown('shutdownGracePeriodCriticalPods')} must be <= ${shown('shutdownGracePeriod')}`] : []),
    ...(broken(whole) ? [tooShort('shutdownGracePeriod')] : []),
    ...(broken(critical) ? [tooShort('shutdownGracePeriodCriticalPods')] : []),
  ];
}

function secondsOf(config: Fields, field: string, otherwise: number): number {
  return spanOf(config[field], otherwise * 1000) / 1000;
}
