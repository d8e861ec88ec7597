// `kubelet` on its machine: its flags, its configuration file and its kubeconfig; what is wrong with them ends it in its own words.
// Of the configuration those fields are honoured that the simulated kubelet has a use for.
import {parseGoDuration} from '../../api/meta/time.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {STANDARD_IMAGE_GC, type ImageGcSettings} from '../../cluster/kubelet/eviction/image-gc.ts';
import {
  STANDARD_EVICTION,
  type EvictionSettings,
  type Signal,
  type Threshold,
} from '../../cluster/kubelet/eviction/thresholds.ts';
import {outsideOf} from '../../api/wire/tls.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {readKubeconfig, type ComponentConfig} from './kubeconfig-file.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readText, type Read} from './secrets.ts';
import {roomOf, STANDARD_ROOM, type RoomSettings} from './kubelet-room.ts';

/** What a kubelet is started with. */
export interface KubeletSettings {
  readonly api: ComponentConfig;
  readonly staticPodPath: string | undefined;
  readonly socket: string;
  readonly names: {readonly dns: string; readonly domain: string};
  readonly eviction: EvictionSettings;
  readonly imageGc: ImageGcSettings;
  readonly room: RoomSettings;
}

/** Reads what it is told; undefined when that has ended it. */
export function kubeletSettings(launch: Launch, standardConfig: string): KubeletSettings | undefined {
  const {daemon, argv, files} = launch;
  const line = readCommandLine('kubelet', argv.slice(1));
  if (!line.ok) {
    failWith(daemon, line.lines, 1);
    return undefined;
  }
  const config = configOf(launch, line.flags, standardConfig);
  if (!config.ok) {
    commandFailed(daemon, config.why);
    return undefined;
  }
  const api = apiOf(launch, line.flags);
  if (!api.ok) {
    commandFailed(daemon, `failed to run Kubelet: ${api.why}`);
    return undefined;
  }
  const authority = config.value.authority;
  const read = authority === undefined ? undefined : readText(files, authority);
  if (read?.ok === false) {
    commandFailed(daemon, `failed to construct kubelet dependencies: unable to load client CA file ${authority}: ${read.why}`);
    return undefined;
  }
  const {authority: _, ...settings} = config.value;
  return {api: api.value, ...settings};
}

interface Config {
  readonly staticPodPath: string | undefined;
  readonly socket: string;
  readonly names: {readonly dns: string; readonly domain: string};
  readonly authority: string | undefined;
  readonly eviction: EvictionSettings;
  readonly imageGc: ImageGcSettings;
  readonly room: RoomSettings;
}

const STANDARD: Config = {
  staticPodPath: '/etc/kubernetes/manifests',
  socket: '/run/containerd/containerd.sock',
  names: {dns: '10.96.0.10', domain: 'cluster.local'},
  authority: '/etc/kubernetes/pki/ca.crt',
  eviction: STANDARD_EVICTION,
  imageGc: STANDARD_IMAGE_GC,
  room: STANDARD_ROOM,
};

function configOf({files, daemon}: Launch, flags: Flags, standard: string): Read<Config> {
  const path = flags.text('config');
  if (path === '') return {ok: true, value: STANDARD};
  const text = files.read(path);
  const failed = (why: string): Read<Config> => ({
    ok: false,
    why: `failed to load kubelet config file, path: ${path}, error: failed to load Kubelet config file ${path}, error ${why}`,
  });
  if (text === undefined)
    return failed(`failed to read kubelet config file ${JSON.stringify(path)}, error: open ${path}: no such file or directory`);
  if (text === standard) return {ok: true, value: STANDARD};
  const {documents, error} = readYaml(text);
  if (error) return failed(`failed to decode: ${error.message.replace(/^.*?(?=yaml: )/, '')}`);
  const fields = (documents[0]?.value ?? {}) as Readonly<Record<string, unknown>>;
  const wrong = wrongType(fields);
  if (wrong)
    return failed(
      `failed to decode: json: cannot unmarshal ${wrong.got} into Go struct field KubeletConfiguration.${wrong.field} of type ${wrong.type}`,
    );
  for (const field of Object.keys(fields))
    if (!KNOWN_FIELD.test(field)) {
      const why = `strict decoding error: unknown field ${JSON.stringify(field)}`;
      daemon.print(`I codec.go:102] "Using lenient decoding as strict decoding failed" err=${JSON.stringify(why)}`);
    }
  const value = honoured(fields);
  const invalid = whyInvalid(value, fields['evictionSoft'] !== undefined);
  return invalid === undefined ? {ok: true, value} : {ok: false, why: invalid};
}

function honoured(fields: Readonly<Record<string, unknown>>): Config {
  const text = (name: string) => (typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : undefined);
  const dns = Array.isArray(fields['clusterDNS']) ? (fields['clusterDNS'] as readonly unknown[])[0] : undefined;
  const x509 = (fields['authentication'] as {x509?: {clientCAFile?: unknown}} | undefined)?.x509;
  return {
    staticPodPath: text('staticPodPath'),
    socket: (text('containerRuntimeEndpoint') ?? STANDARD.socket).replace(/^unix:\/\//, ''),
    names: {dns: typeof dns === 'string' ? dns : STANDARD.names.dns, domain: text('clusterDomain') ?? STANDARD.names.domain},
    authority: typeof x509?.clientCAFile === 'string' ? x509.clientCAFile : undefined,
    eviction: evictionOf(fields),
    imageGc: imageGcOf(fields),
    room: roomOf(fields),
  };
}

const TRANSITION_MS = 300_000;
const SIGNALS: readonly Signal[] = ['memory.available', 'nodefs.available', 'imagefs.available'];

/** Hard thresholds that are given stand in the place of all standard ones. */
function evictionOf(fields: Readonly<Record<string, unknown>>): EvictionSettings {
  const given = (name: string) => fields[name] as Readonly<Record<string, unknown>> | undefined;
  const [hard, soft, graces] = [given('evictionHard'), given('evictionSoft'), given('evictionSoftGracePeriod')];
  const thresholds = SIGNALS.flatMap((signal): Threshold[] => {
    const standard = hard ? [] : STANDARD_EVICTION.thresholds.filter(each => each.signal === signal);
    const own = typeof hard?.[signal] === 'string' ? [{signal, value: hard[signal], graceMs: 0}] : [];
    const graceMs = spanOf(graces?.[signal], 0);
    const late = typeof soft?.[signal] === 'string' && graceMs > 0 ? [{signal, value: soft[signal], graceMs}] : [];
    return [...standard, ...own, ...late];
  });
  return {
    thresholds,
    transitionMs: spanOf(fields['evictionPressureTransitionPeriod'], TRANSITION_MS) || TRANSITION_MS,
    mostGraceSeconds: Number(fields['evictionMaxPodGracePeriod'] ?? 0),
  };
}

function spanOf(value: unknown, otherwise: number): number {
  const read = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return read && 'ms' in read ? read.ms : otherwise;
}

function imageGcOf(fields: Readonly<Record<string, unknown>>): ImageGcSettings {
  const {highPercent, lowPercent, leastAgeMs} = STANDARD_IMAGE_GC;
  return {
    highPercent: Number(fields['imageGCHighThresholdPercent'] ?? highPercent),
    lowPercent: Number(fields['imageGCLowThresholdPercent'] ?? lowPercent),
    leastAgeMs: spanOf(fields['imageMinimumGCAge'], leastAgeMs),
  };
}

/** What is wrong with values that are well formed; the kubelet tells all of it, and where the file is not. */
function whyInvalid({eviction, imageGc: {highPercent, lowPercent}}: Config, soft: boolean): string | undefined {
  const wrong: string[] = [];
  const flags = [
    'imageGCHighThresholdPercent (--image-gc-high-threshold)',
    'imageGCLowThresholdPercent (--image-gc-low-threshold)',
  ];
  for (const [i, value] of [highPercent, lowPercent].entries())
    if (value < 0 || value > 100) wrong.push(`${flags[i]} ${value} must be between 0 and 100, inclusive`);
  if (lowPercent >= highPercent) wrong.push(`${flags[1]} ${lowPercent} must be less than ${flags[0]} ${highPercent}`);
  const without = soft && !eviction.thresholds.some(({graceMs}) => graceMs > 0);
  if (without) wrong.push('grace period must be specified for the soft eviction threshold');
  const all = wrong.map(each => `invalid configuration: ${each}`);
  if (all.length === 0) return undefined;
  const words = all.length > 1 ? `[${all.join(', ')}]` : all[0];
  return `failed to validate kubelet configuration, error: ${words}, path: &TypeMeta{Kind:,APIVersion:,}`;
}

// Every field of the real configuration begins with one of these words.
const KNOWN_FIELD =
  /^(apiVersion|kind|address|allowedUnsafeSysctls|authentication|authorization|cgroup(Driver|Root|sPerQOS)|cluster(DNS|Domain)|configMapAndSecretChangeDetectionStrategy|container(Log.*|RuntimeEndpoint)|contentType|cpu.*|crashLoopBackOff|enable.*|enforceNodeAllocatable|event(BurstQPS|RecordQPS|.*)|eviction.*|fail(CgroupV1|SwapOn)|featureGates|fileCheckFrequency|hairpinMode|healthz.*|http.*|image.*|ip.*|kernelMemcgNotification|kube.*|localStorageCapacityIsolation|logging|makeIPTablesUtilChains|max.*|memory.*|merge.*|minimum.*|mount.*|node.*|oomScoreAdj|podCIDR|podLogsDir|podPidsLimit|podsPerCore|preloadedImagesVerificationAllowlist|protectKernelDefaults|provider.*|qosReserved|readOnlyPort|register.*|registration.*|registry.*|reserved.*|resolvConf|rotateCertificates|runOnce|runtimeRequestTimeout|seccompDefault|serializeImagePulls|server.*|shutdown.*|singleProcessOOMKill|staticPod.*|streamingConnectionIdleTimeout|sync.*|system.*|tls.*|topology.*|tracing|userNamespaces|verifyImageCredentials|volume.*)$/;

const NUMBERS = ['maxPods', 'podsPerCore', 'port', 'readOnlyPort', 'healthzPort', 'nodeStatusMaxImages', 'containerLogMaxFiles'];
const SWITCHES = ['failSwapOn', 'rotateCertificates', 'serverTLSBootstrap', 'protectKernelDefaults', 'serializeImagePulls'];

function wrongType(
  fields: Readonly<Record<string, unknown>>,
): {readonly got: string; readonly field: string; readonly type: string} | undefined {
  const got = (value: unknown) =>
    Array.isArray(value)
      ? 'array'
      : value === null || typeof value === 'object'
        ? 'object'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value;
  for (const field of NUMBERS)
    if (fields[field] !== undefined && typeof fields[field] !== 'number') return {got: got(fields[field]), field, type: 'int32'};
  for (const field of SWITCHES)
    if (fields[field] !== undefined && typeof fields[field] !== 'boolean') return {got: got(fields[field]), field, type: 'bool'};
  return undefined;
}

/** Where the API server is. A kubelet without a kubeconfig would join by a bootstrap one; there is none here to join with. */
function apiOf({files, daemon}: Launch, flags: Flags): Read<ComponentConfig> {
  const path = flags.text('kubeconfig');
  const bootstrap = flags.text('bootstrap-kubeconfig');
  const config = readKubeconfig(files, path);
  const missing = `unable to load bootstrap kubeconfig: stat ${bootstrap}: no such file or directory`;
  const canBootstrap = bootstrap !== '' && files.read(bootstrap) !== undefined;
  if (!config.ok && files.read(path) === undefined)
    return {ok: false, why: bootstrap === '' || canBootstrap ? `invalid kubeconfig: ${config.why}` : missing};
  if (!config.ok) return {ok: false, why: `invalid kubeconfig: ${config.why}`};
  const {certificate} = config.value;
  if (certificate && bootstrap !== '' && !canBootstrap && outsideOf(certificate, daemon.wall())) {
    const expired = `${new Date(certificate.notAfter).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
    const why = `part of the existing bootstrap client certificate in ${path} is expired: ${expired}`;
    daemon.print(`E bootstrap.go:267] "Unhandled Error" err=${JSON.stringify(why)} logger="UnhandledError"`);
    return {ok: false, why: missing};
  }
  return config;
}
