// A KubeSchedulerConfiguration, as `--config` names it: profiles with their plugins and arguments, back-offs, leader election, and
// the kubeconfig. What is wrong with it ends the scheduler with the words of the real one.
//
// Not modelled: extenders (judged, and never asked).
import {readConfig, readPluginArguments, SCHEDULER_CONFIG} from '../../api/component-config/read.ts';
import {aggregateText, duplicate, invalid, Printed, required, type FieldError} from '../../api/meta/field-error.ts';
import type {SchedulerConfig} from '../../cluster/scheduler/profile.ts';
import {goMilliseconds} from './flag-values.ts';

/** What the file says. */
export interface SchedulerFile extends SchedulerConfig {
  readonly clientConnection?: {readonly kubeconfig?: string};
  readonly parallelism?: number;
  readonly leaderElection?: {
    readonly leaderElect?: boolean;
    readonly resourceName?: string;
    readonly resourceLock?: string;
    readonly leaseDuration?: string;
    readonly renewDeadline?: string;
    readonly retryPeriod?: string;
  };
}

/** The configuration, or why it is none. */
export type SchedulerFileRead = {readonly config: SchedulerFile} | {readonly why: string};

/** Reads the file's text. */
export function readSchedulerFile(text: string): SchedulerFileRead {
  const read = readConfig(text, SCHEDULER_CONFIG);
  if (!read.ok) return {why: read.why};
  const config = read.value as SchedulerFile;
  const problems = [...read.problems];
  for (const each of pluginArguments(config)) {
    const head = `decoding ${each.place}`;
    const {error, problems: strict} = readPluginArguments(each.plugin, each.args);
    if (error !== undefined) return {why: `${head}: decoding args for plugin ${each.plugin}: ${error}`};
    const inner = `strict decoding error: decoding args for plugin ${each.plugin}: strict decoding error: ${strict.join(', ')}`;
    if (strict.length > 0) problems.push(`${head}: ${inner}`);
  }
  if (problems.length > 0) return {why: `strict decoding error: ${problems.join(', ')}`};
  const errors = mistakes(config);
  return errors.length === 0 ? {config} : {why: aggregateText(errors)};
}

function pluginArguments({profiles = []}: SchedulerFile): {place: string; plugin: string; args: unknown}[] {
  return profiles.flatMap(({pluginConfig = []}, i) =>
    pluginConfig.map(({name, args}, j) => ({place: `.profiles[${i}].pluginConfig[${j}]`, plugin: name, args: args ?? {}})),
  );
}

function mistakes(file: SchedulerFile): readonly FieldError[] {
  const {parallelism = 16, percentageOfNodesToScore, podInitialBackoffSeconds = 1, podMaxBackoffSeconds = 10} = file;
  const errors = [...electionMistakes(file.leaderElection)];
  if (parallelism <= 0) errors.push(invalid('parallelism', parallelism, 'should be an integer value greater than zero'));
  errors.push(...profileMistakes(file), ...percentageMistakes('percentageOfNodesToScore', percentageOfNodesToScore));
  if (podInitialBackoffSeconds <= 0)
    errors.push(invalid('podInitialBackoffSeconds', podInitialBackoffSeconds, 'must be greater than 0'));
  if (podMaxBackoffSeconds < podInitialBackoffSeconds) {
    const why = 'must be greater than or equal to PodInitialBackoffSeconds';
    errors.push(invalid('podMaxBackoffSeconds', podMaxBackoffSeconds, why));
  }
  return errors;
}

function profileMistakes({profiles = []}: SchedulerFile): readonly FieldError[] {
  const names = new Set<string>();
  return profiles.flatMap(({schedulerName = 'default-scheduler', percentageOfNodesToScore}, at) => {
    const place = `profiles[${at}]`;
    const errors: FieldError[] = schedulerName === '' ? [required(`${place}.schedulerName`)] : [];
    errors.push(...percentageMistakes(`${place}.percentageOfNodesToScore`, percentageOfNodesToScore));
    if (names.has(schedulerName)) errors.push(duplicate(`${place}.schedulerName`, schedulerName));
    names.add(schedulerName);
    return errors;
  });
}

function percentageMistakes(place: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && (value < 0 || value > 100) ? [invalid(place, value, 'not in valid range [0-100]')] : [];
}

/** A lease must last longer than the tries to renew it, and they longer than the pause between two of them. */
function electionMistakes(election: SchedulerFile['leaderElection'] = {}): readonly FieldError[] {
  if (election.leaderElect === false) return [];
  const {leaseDuration = '15s', renewDeadline = '10s', retryPeriod = '2s', resourceLock = 'leases'} = election;
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries({leaseDuration, renewDeadline, retryPeriod}))
    if (goMilliseconds(value) <= 0)
      errors.push(invalid(`leaderElection.${name}`, new Printed(value), 'must be greater than zero'));
  const shorter = (place: string, [one, other]: readonly [string, string], why: string) => {
    if (goMilliseconds(one) < goMilliseconds(other)) errors.push(invalid(`leaderElection.${place}`, new Printed(other), why));
  };
  shorter('leaseDuration', [leaseDuration, renewDeadline], 'LeaseDuration must be greater than RenewDeadline');
  shorter('renewDeadline', [renewDeadline, retryPeriod], 'RenewDeadline must be greater than RetryPeriod');
  if (resourceLock !== 'leases')
    errors.push(invalid('leaderElection.resourceLock', resourceLock, 'resourceLock value must be "leases"'));
  return errors;
}
