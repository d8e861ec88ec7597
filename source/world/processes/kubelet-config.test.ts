// What the kubelet says of each kind of mistake in its configuration file.
import {expect, test} from 'vitest';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Files} from '../../sim/files.ts';
import {Trace} from '../../sim/trace.ts';
import {readKubeletConfig} from './kubelet-config.ts';

const PATH = '/var/lib/kubelet/config.yaml';
const HEAD = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

function read(text: string) {
  const clock = new Clock();
  const files = new Files(() => 0);
  files.place(PATH, text);
  const daemon = new Daemon('kubelet', 1, {
    clock,
    trace: new Trace(clock),
    dice: new Dice(1),
    host: 'node-1',
    wall: () => 0,
    dial: () => ({send: () => undefined, cancel: () => undefined}),
    listen: () => undefined,
  });
  return {result: readKubeletConfig({files, daemon}, PATH, 'the standard one'), log: daemon.log};
}

/** What it ends with, as `journalctl -u kubelet` shows it. */
function ending(text: string) {
  const {result} = read(text);
  return result.ok
    ? {code: 0, says: ''}
    : {code: result.ending.code, says: result.ending.lines.join('\n').replaceAll('\\"', '"')};
}

test('what a file says is what the kubelet goes by', () => {
  const text = `${HEAD}staticPodPath: /etc/pods
clusterDNS: [10.96.0.53]
clusterDomain: example.org
containerRuntimeEndpoint: unix:///run/other.sock
authentication: {x509: {clientCAFile: /etc/ca.crt}}
evictionHard: {memory.available: 1Gi}
evictionSoft: {nodefs.available: 20%}
evictionSoftGracePeriod: {nodefs.available: 1m30s}
imageGCHighThresholdPercent: 70
imageGCLowThresholdPercent: 0
maxPods: 20
crashLoopBackOff: {maxContainerRestartPeriod: 20s}
kubeReserved: {memory: 256Mi}
allowedUnsafeSysctls: [net.core.*]
`;
  expect(read(text).result).toEqual({
    ok: true,
    value: {
      staticPodPath: '/etc/pods',
      shutdown: [],
      socket: '/run/other.sock',
      names: {dns: '10.96.0.53', domain: 'example.org'},
      authority: '/etc/ca.crt',
      eviction: {
        thresholds: [
          {signal: 'memory.available', value: '1Gi', graceMs: 0},
          {signal: 'nodefs.available', value: '20%', graceMs: 90_000},
        ],
        transitionMs: 300_000,
        mostGraceSeconds: 0,
      },
      imageGc: {highPercent: 70, lowPercent: 0, leastAgeMs: 120_000},
      crashMostMs: 20_000,
      room: {maxPods: 20, reserved: [{memory: '256Mi'}, {memory: '1Gi'}], allowedUnsafeSysctls: ['net.core.*']},
    },
  });
});

test.each([
  ['cgroupDrivr: systemd', 'unknown field "cgroupDrivr"'],
  ['authentication: {x509: {clientCA: /etc/ca.crt}}', 'unknown field "authentication.x509.clientCA"'],
  ['maxPods: 10\nmaxPods: 20', 'yaml: unmarshal errors:\n  line 4: key "maxPods" already set in map'],
  ['maxPods: 10\nmaxPods: 20\nfoo: 1', 'line 4: key "maxPods" already set in map, unknown field "foo"'],
])('lenient decoding takes %j and tells', (fields, problem) => {
  const {result, log} = read(`${HEAD}${fields}\n`);
  expect(result.ok).toBe(true);
  const line = log[0]?.replaceAll('\\"', '"').replaceAll(String.raw`\n`, '\n');
  expect(line).toContain('I codec.go:102] "Using lenient decoding as strict decoding failed" err="strict decoding error: ');
  expect(line).toContain(problem);
});

test.each([
  ['maxPods: many', 'json: cannot unmarshal string into Go struct field KubeletConfiguration.maxPods of type int32'],
  [
    'clusterDNS: 10.96.0.10',
    'json: cannot unmarshal string into Go struct field KubeletConfiguration.clusterDNS of type []string',
  ],
  ['failSwapOn: "no"', 'json: cannot unmarshal string into Go struct field KubeletConfiguration.failSwapOn of type bool'],
  [
    'evictionHard: {memory.available: 100}',
    'json: cannot unmarshal number into Go struct field KubeletConfiguration.evictionHard of type string',
  ],
  ['authentication: x509', 'KubeletConfiguration.authentication of type v1beta1.KubeletAuthentication'],
  [
    'authentication: {x509: {clientCAFile: [a]}}',
    'json: cannot unmarshal array into Go struct field KubeletX509Authentication.authentication.x509.clientCAFile of type string',
  ],
  ['syncFrequency: 10', 'json: cannot unmarshal number into Go struct field KubeletConfiguration.syncFrequency of type string'],
  ['syncFrequency: "10"', 'time: missing unit in duration "10"'],
  ['podPidsLimit: 1.5', 'json: cannot unmarshal number 1.5 into Go struct field KubeletConfiguration.podPidsLimit of type int64'],
  [
    'registerWithTaints: [{key: 1}]',
    'json: cannot unmarshal number into Go struct field Taint.registerWithTaints.key of type string',
  ],
])('%j cannot be decoded', (fields, why) => {
  const {code, says} = ending(`${HEAD}${fields}\n`);
  expect(code).toBe(1);
  expect(says).toContain(`error failed to decode: ${why.startsWith('Kubelet') ? '' : why}`);
  expect(says).toContain(why);
});

test.each([
  ['', 'kubelet config file "/var/lib/kubelet/config.yaml" was empty'],
  ['a: b: c\n', 'failed to decode: yaml: mapping values are not allowed in this context'],
  [
    '- 1\n',
    "failed to decode: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct",
  ],
  ['maxPods: 1\n', "failed to decode: Object 'Kind' is missing in '{\"maxPods\":1}'"],
  [
    HEAD.replace('v1beta1', 'v1'),
    'no kind "KubeletConfiguration" is registered for version "kubelet.config.k8s.io/v1" in scheme',
  ],
])('a file that is none: %j', (text, why) => {
  expect(ending(text).says).toContain(why);
});

const IN_ALL = 'failed to validate kubelet configuration, error: ';

test.each([
  [
    'maxPods: -1',
    `${IN_ALL}invalid configuration: maxPods (--max-pods) -1 must not be a negative number, path: &TypeMeta{Kind:,APIVersion:,}`,
  ],
  ['port: 70000', 'invalid configuration: port (--port) 70000 must be between 1 and 65535, inclusive'],
  ['healthzPort: -1', 'invalid configuration: healthzPort (--healthz-port) -1 must be between 1 and 65535, inclusive'],
  ['oomScoreAdj: 2000', 'invalid configuration: oomScoreAdj (--oom-score-adj) 2000 must be between -1000 and 1000, inclusive'],
  [
    'imageGCLowThresholdPercent: 90',
    'imageGCLowThresholdPercent (--image-gc-low-threshold) 90 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 85',
  ],
  ['runOnce: true', 'Runonce mode has been deprecated and should not be set'],
  [
    'topologyManagerPolicy: best',
    'topologyManagerPolicy (--topology-manager-policy) "best" must be one of: ["none" "best-effort" "restricted" "single-numa-node"]',
  ],
  [
    'hairpinMode: veth',
    'option "veth" specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"',
  ],
  ['memorySwap: {swapBehavior: Swap}', 'memorySwap.swapBehavior "Swap" must be one of: "", "LimitedSwap" or "NoSwap"'],
  [
    'shutdownGracePeriod: 10s\nshutdownGracePeriodCriticalPods: 20s',
    'shutdownGracePeriodCriticalPods {20s} must be <= shutdownGracePeriod {10s}',
  ],
  ['containerLogMaxFiles: 1', 'invalid configuration: containerLogMaxFiles must be greater than 1'],
  [
    'maxPods: -1\npodsPerCore: -1',
    `${IN_ALL}[invalid configuration: maxPods (--max-pods) -1 must not be a negative number, invalid configuration: podsPerCore (--pods-per-core) -1 must not be a negative number], path: `,
  ],
  ['evictionHard: {memory.free: 1Gi}', 'failed to run Kubelet: unsupported eviction signal memory.free'],
  [
    'evictionHard: {nodefs.available: 110%}',
    'failed to run Kubelet: eviction percentage threshold nodefs.available must be <= 100%: 110%',
  ],
  ['evictionHard: {memory.available: 0}', 'cannot unmarshal number'],
  ['evictionHard: {memory.available: "0"}', 'failed to run Kubelet: eviction threshold memory.available must be positive: 0'],
  [
    'evictionSoft: {memory.available: 1Gi}',
    'failed to run Kubelet: failed to create kubelet: grace period must be specified for the soft eviction threshold memory.available',
  ],
  [
    'evictionSoft: {memory.available: 1Gi}\nevictionSoftGracePeriod: {memory.available: soon}',
    'failed to create kubelet: time: invalid duration "soon"',
  ],
])('%j is refused', (fields, why) => {
  const {code, says} = ending(`${HEAD}${fields}\n`);
  expect(code).toBe(1);
  expect(says).toContain(why);
});

test('a feature gate that nobody knows is a panic', () => {
  expect(ending(`${HEAD}featureGates: {NoSuchGate: true}\n`)).toEqual({
    code: 2,
    says: 'panic: failed to merge global and in-flight KubeletConfiguration while setting defaults, error: unrecognized feature gate: NoSuchGate',
  });
});

test.each([
  ['shutdownGracePeriod: 30s\nshutdownGracePeriodCriticalPods: 10s', [0, 20, 2_000_000_000, 10]],
  ['shutdownGracePeriod: 30s', [0, 30, 2_000_000_000, 0]],
  ['shutdownGracePeriod: 0s', []],
  [
    'shutdownGracePeriodByPodPriority: [{priority: 100000, shutdownGracePeriodSeconds: 10}, {priority: 0, shutdownGracePeriodSeconds: 60}]',
    [0, 60, 100_000, 10],
  ],
])('%j groups the pods that are to end', (text, groups) => {
  const {result} = read(`${HEAD}${text}\n`);
  const shutdown = result.ok ? result.value.shutdown : [];
  expect(shutdown.flatMap(({priority, graceSeconds}) => [priority, graceSeconds])).toEqual(groups);
});
