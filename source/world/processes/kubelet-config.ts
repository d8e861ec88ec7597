// The kubelet's configuration file. Of its fields those are honoured that the simulated kubelet has a use for; all are judged.
import type {ShutdownGroup} from '../../cluster/kubelet/node/shutdown.ts';
import {KUBELET_CONFIG, readConfig} from '../../api/component-config/read.ts';
import names from '../../api/data/known-names.json' with {type: 'json'};
import type {Fields} from '../../api/meta/fields.ts';
import {STANDARD_IMAGE_GC, type ImageGcSettings} from '../../cluster/kubelet/eviction/image-gc.ts';
import {STANDARD_EVICTION, type EvictionSettings} from '../../cluster/kubelet/eviction/thresholds.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Files} from '../../sim/files.ts';
import {spanOf} from './flag-values.ts';
import {commandLine, type Ending} from './launch.ts';
import {roomOf, STANDARD_ROOM, type RoomSettings} from './kubelet-room.ts';
import {whyInvalid} from './kubelet-rules.ts';
import {evictionOf, whyNoThresholds} from './kubelet-thresholds.ts';

/** What the kubelet goes by. */
export interface KubeletConfig {
  readonly staticPodPath: string | undefined;
  readonly socket: string;
  readonly names: {readonly dns: string; readonly domain: string};
  /** The authorities of its clients, as a file. */
  readonly authority: string | undefined;
  readonly eviction: EvictionSettings;
  readonly imageGc: ImageGcSettings;
  readonly room: RoomSettings;
  /** The longest wait of a container that ends again and again. */
  readonly crashMostMs: number;
  /** How pods end when the machine goes down; empty: it does not tell. */
  readonly shutdown: readonly ShutdownGroup[];
}

const CRASH_MOST_MS = 300_000;

const STANDARD: KubeletConfig = {
  staticPodPath: '/etc/kubernetes/manifests',
  socket: '/run/containerd/containerd.sock',
  names: {dns: '10.96.0.10', domain: 'cluster.local'},
  authority: '/etc/kubernetes/pki/ca.crt',
  eviction: STANDARD_EVICTION,
  imageGc: STANDARD_IMAGE_GC,
  room: STANDARD_ROOM,
  crashMostMs: CRASH_MOST_MS,
  shutdown: [],
};

const GATES: ReadonlySet<string> = new Set(names.featureGates);

/** Reads the file at a path; `standard` is the text that every node begins with, and needs no reading. */
export function readKubeletConfig(
  {files, daemon}: {readonly files: Files; readonly daemon: Daemon},
  path: string,
  standard: string,
): {readonly ok: true; readonly value: KubeletConfig} | {readonly ok: false; readonly ending: Ending} {
  if (path === '') return {ok: true, value: STANDARD};
  const text = files.read(path);
  const unread = (why: string) => {
    const head = `failed to load kubelet config file, path: ${path}, error: failed to load Kubelet config file ${path}, error`;
    return {ok: false as const, ending: commandLine(`${head} ${why}`)};
  };
  if (text === undefined)
    return unread(`failed to read kubelet config file ${JSON.stringify(path)}, error: open ${path}: no such file or directory`);
  if (text === '') return unread(`kubelet config file ${JSON.stringify(path)} was empty`);
  if (text === standard) return {ok: true, value: STANDARD};
  const read = readConfig(text, KUBELET_CONFIG);
  if (!read.ok) return unread(`failed to decode: ${read.why}`);
  if (read.problems.length > 0) {
    const why = `strict decoding error: ${read.problems.join(', ')}`;
    daemon.print(`I codec.go:102] "Using lenient decoding as strict decoding failed" err=${JSON.stringify(why)}`);
  }
  const ending = endingOf(read.value);
  return ending ? {ok: false, ending} : {ok: true, value: honoured(read.value)};
}

function endingOf(config: Fields): Ending | undefined {
  const gate = Object.keys((config['featureGates'] as Fields | undefined) ?? {}).find(name => !GATES.has(name));
  if (gate !== undefined) {
    const why = `failed to merge global and in-flight KubeletConfiguration while setting defaults, error: unrecognized feature gate: ${gate}`;
    return {lines: [`panic: ${why}`], code: 2};
  }
  const invalid = whyInvalid(config);
  if (invalid !== undefined) return commandLine(invalid);
  const thresholds = whyNoThresholds(config);
  return thresholds === undefined ? undefined : commandLine(`failed to run Kubelet: ${thresholds}`);
}

function honoured(config: Fields): KubeletConfig {
  const text = (name: string) => (typeof config[name] === 'string' && config[name] !== '' ? config[name] : undefined);
  const [dns = STANDARD.names.dns] = (config['clusterDNS'] as readonly string[] | undefined) ?? [];
  const authentication = config['authentication'] as {readonly x509?: {readonly clientCAFile?: string}} | undefined;
  const crashes = config['crashLoopBackOff'] as {readonly maxContainerRestartPeriod?: string} | undefined;
  return {
    staticPodPath: text('staticPodPath'),
    socket: (text('containerRuntimeEndpoint') ?? STANDARD.socket).replace(/^unix:\/\//, ''),
    names: {dns, domain: text('clusterDomain') ?? STANDARD.names.domain},
    authority: authentication?.x509?.clientCAFile || undefined,
    eviction: evictionOf(config),
    imageGc: imageGcOf(config),
    room: roomOf(config),
    crashMostMs: spanOf(crashes?.maxContainerRestartPeriod, CRASH_MOST_MS) || CRASH_MOST_MS,
    shutdown: shutdownOf(config),
  };
}

const CRITICAL = 2_000_000_000;

/** Groups by priority, or two of them: ordinary pods, and in the last part of the time those that are critical. */
function shutdownOf(config: Fields): readonly ShutdownGroup[] {
  const groups = (config['shutdownGracePeriodByPodPriority'] ?? []) as readonly Fields[];
  const given = groups.map(({priority, shutdownGracePeriodSeconds}) => ({
    priority: Number(priority ?? 0),
    graceSeconds: Number(shutdownGracePeriodSeconds ?? 0),
  }));
  if (given.length > 0) return given.toSorted((a, b) => a.priority - b.priority);
  const whole = spanOf(config['shutdownGracePeriod'], 0);
  const critical = spanOf(config['shutdownGracePeriodCriticalPods'], 0);
  if (whole === 0 || critical > whole) return [];
  return [
    {priority: 0, graceSeconds: Math.floor((whole - critical) / 1000)},
    {priority: CRITICAL, graceSeconds: Math.floor(critical / 1000)},
  ];
}

function imageGcOf(config: Fields): ImageGcSettings {
  const {highPercent, lowPercent, leastAgeMs} = STANDARD_IMAGE_GC;
  return {
    highPercent: Number(config['imageGCHighThresholdPercent'] ?? highPercent),
    lowPercent: Number(config['imageGCLowThresholdPercent'] ?? lowPercent),
    leastAgeMs: spanOf(config['imageMinimumGCAge'], leastAgeMs) || leastAgeMs,
  };
}
