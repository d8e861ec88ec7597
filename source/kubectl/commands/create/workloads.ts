// `kubectl create deployment`, `job` and `cronjob`.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {randomSuffix} from '../../random.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {generatorCommand, type Draft} from './generator.ts';

/** The words after `--`. */
function commandOf({flags, args}: Session): readonly string[] {
  return flags.argsBeforeDash === undefined ? [] : args.slice(flags.argsBeforeDash);
}

/** A name for the container of an image: the last part of it; what no name may have is replaced, and the name made unlike others. */
function containerName(session: Session, image: string): string {
  const last = image.split('/').at(-1) ?? image;
  const name = last.split(/[:@]/)[0] ?? '';
  return /[_.]/.test(name) ? `${name.replaceAll(/[_.]/g, '-')}-${randomSuffix(session.process)}` : name;
}

export const createDeployment = generatorCommand({
  path: 'kubectl create deployment',
  short: 'Create a deployment',
  examples: [
    'kubectl create deployment web --image=nginx:1.27 --replicas=3',
    'kubectl create deployment idle --image=busybox:1.36 -- sleep 3600',
  ],
  flags: ['image', 'port', 'replicas'],
  required: ['image'],
  refusal: 'failed to create deployment:',
  make: deployment,
});

function deployment(session: Session, name: string): Draft | Failure {
  const {flags} = session;
  const images = flags.list('image');
  const command = commandOf(session);
  if (images.length > 1 && command.length > 0) return fail('cannot specify multiple --image options and command');
  const port = flags.number('port');
  const labels = {app: name};
  const containers = images.map((image, index) => ({
    name: containerName(session, image),
    image,
    resources: {},
    ...(command.length > 0 ? {command} : {}),
    ...(port >= 0 && index === 0 ? {ports: [{containerPort: port}]} : {}),
  }));
  const template = {metadata: {labels}, spec: {containers}};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, labels},
    spec: {replicas: flags.number('replicas'), selector: {matchLabels: labels}, strategy: {}, template},
    status: {},
  };
}

export const createJob = generatorCommand({
  path: 'kubectl create job',
  short: 'Create a job',
  examples: ['kubectl create job once --image=busybox:1.36 -- echo hello', 'kubectl create job now --from=cronjob/tick'],
  flags: ['from', 'image'],
  refusal: 'failed to create job:',
  make: job,
});

async function job(session: Session, name: string): Promise<Draft | Failure> {
  const {flags} = session;
  const command = commandOf(session);
  const image = flags.text('image');
  const from = flags.text('from');
  if ((image === '') === (from === '')) return fail('either --image or --from must be specified');
  if (command.length > 0 && image === '') return fail('cannot specify --from and command');
  if (from !== '') return jobFrom(session, name, from);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {name},
    spec: {template: jobTemplate(name, {image, command, restart: 'Never'})},
    status: {},
  };
}

function jobTemplate(name: string, {image, command, restart}: {image: string; command: readonly string[]; restart: string}) {
  const container = {name, image, resources: {}, ...(command.length > 0 ? {command} : {})};
  return {metadata: {}, spec: {containers: [container], restartPolicy: restart}};
}

/** A job by hand of a cron job. */
async function jobFrom(session: Session, name: string, from: string): Promise<Draft | Failure> {
  const selected = await select(session, {args: [from]});
  if (selected instanceof Failure) return selected;
  const [failure] = selected.failures;
  if (failure) return failure;
  const found = selected.found[0]?.object;
  if (!found) return fail(`from must be an existing cronjob`);
  if (found.kind !== 'CronJob') return fail(`unknown object type *${found.apiVersion.split('/').at(-1) ?? ''}.${found.kind}`);
  const {spec} = found as AnyObject & {spec: {jobTemplate: {metadata?: {annotations?: object; labels?: object}; spec: unknown}}};
  const {annotations, labels} = spec.jobTemplate.metadata ?? {};
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    spec: spec.jobTemplate.spec,
    status: {},
    metadata: {
      name,
      annotations: {'cronjob.kubernetes.io/instantiate': 'manual', ...annotations},
      ...(labels ? {labels} : {}),
      ownerReferences: [
        {apiVersion: 'batch/v1', kind: 'CronJob', name: found.metadata.name, uid: found.metadata.uid, controller: true},
      ],
    },
  };
}

export const createCronJob = generatorCommand({
  path: 'kubectl create cronjob',
  short: 'Create a cron job',
  examples: ["kubectl create cronjob tick --image=busybox:1.36 --schedule='*/5 * * * *' -- date"],
  flags: ['image', 'restart', 'schedule'],
  required: ['image', 'schedule'],
  refusal: 'failed to create cronjob:',
  make: (session, name) => {
    const template = jobTemplate(name, {
      image: session.flags.text('image'),
      command: commandOf(session),
      restart: session.flags.text('restart') || 'OnFailure',
    });
    return {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: {name},
      status: {},
      spec: {schedule: session.flags.text('schedule'), jobTemplate: {metadata: {name}, spec: {template}}},
    };
  },
});
