// The configuration that a kubelet goes by, whole: what its file says, over what is taken where the file says nothing. `/configz` shows it.
import {KUBELET_CONFIG, readConfig} from '../../api/component-config/read.ts';
import type {Fields} from '../../api/meta/fields.ts';

const DEFAULTS: Fields = {
  enableServer: true,
  podLogsDir: '/var/log/pods',
  syncFrequency: '1m0s',
  fileCheckFrequency: '20s',
  httpCheckFrequency: '20s',
  address: '0.0.0.0',
  port: 10_250,
  tlsCertFile: '/var/lib/kubelet/pki/kubelet.crt',
  tlsPrivateKeyFile: '/var/lib/kubelet/pki/kubelet.key',
  authentication: {x509: {}, webhook: {enabled: true, cacheTTL: '2m0s'}, anonymous: {enabled: false}},
  authorization: {mode: 'Webhook', webhook: {cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: '30s'}},
  registryPullQPS: 5,
  registryBurst: 10,
  eventRecordQPS: 50,
  eventBurst: 100,
  enableDebuggingHandlers: true,
  healthzPort: 10_248,
  healthzBindAddress: '127.0.0.1',
  oomScoreAdj: -999,
  streamingConnectionIdleTimeout: '4h0m0s',
  nodeStatusUpdateFrequency: '10s',
  nodeStatusReportFrequency: '5m0s',
  nodeLeaseDurationSeconds: 40,
  imageMinimumGCAge: '2m0s',
  imageMaximumGCAge: '0s',
  imageGCHighThresholdPercent: 85,
  imageGCLowThresholdPercent: 80,
  volumeStatsAggPeriod: '1m0s',
  cgroupsPerQOS: true,
  cgroupDriver: 'cgroupfs',
  cpuManagerPolicy: 'none',
  cpuManagerReconcilePeriod: '10s',
  memoryManagerPolicy: 'None',
  topologyManagerPolicy: 'none',
  topologyManagerScope: 'container',
  runtimeRequestTimeout: '2m0s',
  hairpinMode: 'promiscuous-bridge',
  maxPods: 110,
  podPidsLimit: -1,
  resolvConf: '/etc/resolv.conf',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  nodeStatusMaxImages: 50,
  maxOpenFiles: 1_000_000,
  contentType: 'application/vnd.kubernetes.protobuf',
  kubeAPIQPS: 50,
  kubeAPIBurst: 100,
  serializeImagePulls: true,
  evictionHard: {
    'imagefs.available': '15%',
    'imagefs.inodesFree': '5%',
    'memory.available': '100Mi',
    'nodefs.available': '10%',
    'nodefs.inodesFree': '5%',
  },
  evictionPressureTransitionPeriod: '5m0s',
  mergeDefaultEvictionSettings: false,
  enableControllerAttachDetach: true,
  makeIPTablesUtilChains: true,
  iptablesMasqueradeBit: 14,
  iptablesDropBit: 15,
  failSwapOn: true,
  memorySwap: {},
  containerLogMaxSize: '10Mi',
  containerLogMaxFiles: 5,
  containerLogMaxWorkers: 1,
  containerLogMonitorInterval: '10s',
  configMapAndSecretChangeDetectionStrategy: 'Watch',
  enforceNodeAllocatable: ['pods'],
  volumePluginDir: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
  logging: {
    format: 'text',
    flushFrequency: '5s',
    verbosity: 0,
    options: {text: {infoBufferSize: '0'}, json: {infoBufferSize: '0'}},
  },
  enableSystemLogHandler: true,
  enableSystemLogQuery: false,
  shutdownGracePeriod: '0s',
  shutdownGracePeriodCriticalPods: '0s',
  crashLoopBackOff: {},
  enableProfilingHandler: true,
  enableDebugFlagsHandler: true,
  seccompDefault: false,
  memoryThrottlingFactor: 0.9,
  registerNode: true,
  localStorageCapacityIsolation: true,
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  failCgroupV1: true,
};

/** What a text and the defaults come to. Spans of no length stand for what is taken then. */
export function wholeKubeletConfig(text: string | undefined): Fields {
  const read = text === undefined ? undefined : readConfig(text, KUBELET_CONFIG);
  const {apiVersion: _apiVersion, kind: _kind, ...given} = read?.ok ? read.value : {};
  return over(DEFAULTS, given);
}

function over(usual: Fields, given: Fields): Fields {
  const merged = Object.entries(given).map(([name, value]): [string, unknown] => {
    const before = usual[name];
    const isAbsent = value === '0s' && before !== undefined;
    const isObject = (each: unknown): each is Fields => typeof each === 'object' && each !== null && !Array.isArray(each);
    const isWhole = name === 'evictionHard';
    return [name, isAbsent ? before : isObject(value) && isObject(before) && !isWhole ? over(before, value) : value];
  });
  return {...usual, ...Object.fromEntries(merged)};
}
