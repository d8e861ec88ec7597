// A KubeSchedulerConfiguration, as `--config` names it: profiles with their plugins and arguments, back-offs, leader election, and
// the kubeconfig. What is wrong with it ends the scheduler with the words of the real one.
//
// Not modelled: extenders, and that the file is decoded strictly below the first level.
import type {SchedulerConfig} from '../../cluster/scheduler/profile.ts';
import {whyNoKind} from '../../api/meta/version-kind.ts';
import {readYaml} from '../../api/yaml/read.ts';

/** What the file says. */
export interface SchedulerFile extends SchedulerConfig {
  readonly clientConnection?: {readonly kubeconfig?: string};
  readonly leaderElection?: {readonly leaderElect?: boolean; readonly resourceName?: string};
}

/** The configuration, or why it is none. */
export type SchedulerFileRead = {readonly config: SchedulerFile} | {readonly why: string};

const VERSION = 'kubescheduler.config.k8s.io/v1';
const KIND = 'KubeSchedulerConfiguration';
const FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'clientConnection',
  'debuggingConfiguration',
  'enableContentionProfiling',
  'enableProfiling',
  'delayCacheUntilActive',
  'extenders',
  'leaderElection',
  'parallelism',
  'percentageOfNodesToScore',
  'podInitialBackoffSeconds',
  'podMaxBackoffSeconds',
  'profiles',
]);

/** Reads the file's text. */
export function readSchedulerFile(text: string): SchedulerFileRead {
  const read = readYaml(text);
  if (read.error) return {why: `couldn't get version/kind; json parse error: ${read.error.message}`};
  const object = read.documents[0]?.value;
  const why = whyNoKind(object);
  if (why !== undefined) return {why};
  const {apiVersion, kind} = object as {readonly apiVersion: string; readonly kind: string};
  if (apiVersion !== VERSION || kind !== KIND) {
    const quoted = [kind, apiVersion].map(each => JSON.stringify(each));
    return {
      why: `no kind ${quoted[0]} is registered for version ${quoted[1]} in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:32"`,
    };
  }
  const unknown = Object.keys(object as object).find(field => !FIELDS.has(field));
  if (unknown !== undefined) return {why: `strict decoding error: unknown field ${JSON.stringify(unknown)}`};
  const config = object as SchedulerFile;
  const invalid = whyInvalid(config);
  return invalid === undefined ? {config} : {why: invalid};
}

function whyInvalid({profiles = [], podInitialBackoffSeconds = 1, podMaxBackoffSeconds = 10}: SchedulerFile): string | undefined {
  if (podInitialBackoffSeconds <= 0)
    return `podInitialBackoffSeconds: Invalid value: ${podInitialBackoffSeconds}: must be greater than 0`;
  if (podMaxBackoffSeconds < podInitialBackoffSeconds)
    return `podMaxBackoffSeconds: Invalid value: ${podMaxBackoffSeconds}: must be greater than or equal to PodInitialBackoffSeconds`;
  const names = new Set<string>();
  for (const [at, {schedulerName = 'default-scheduler'}] of profiles.entries()) {
    if (names.has(schedulerName)) return `profiles[${at}].schedulerName: Duplicate value: ${JSON.stringify(schedulerName)}`;
    names.add(schedulerName);
  }
  return undefined;
}
