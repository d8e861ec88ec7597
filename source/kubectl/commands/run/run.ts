// `kubectl run`: makes one pod.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {checkStrictEnvName} from '../../../api/meta/names.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {withTypedRecord} from '../apply/last-applied.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {withRecord} from '../change-cause.ts';
import {post} from '../create/generator.ts';
import {dryRunOf, dryRunWords, writeQuery, type DryRun} from '../dry-run.ts';
import {deletionOf} from '../delete.ts';
import {overridden} from '../overrides.ts';
import {readLabelSpec} from '../pairs.ts';
import {isImageName} from '../image-name.ts';
import {podTimeoutProblem} from '../streams/timeout.ts';
import {removeMade, runAttached} from './attached.ts';
import {printerOf, type Printer} from '../../print/printer.ts';

export const run: Command = {
  path: 'kubectl run',
  short: 'Run an image in a pod',
  examples: [
    'kubectl run web --image=nginx:1.27',
    'kubectl run once --image=busybox:1.36 --restart=Never -- echo hello',
    'kubectl run web --image=nginx:1.27 --port=80 --expose',
    'kubectl run tmp --rm -it --image=busybox:1.36 -- sh',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'annotations',
    'attach',
    'cascade',
    'force',
    'grace-period',
    'leave-stdin-open',
    'pod-running-timeout',
    'quiet',
    'rm',
    'stdin',
    'timeout',
    'tty',
    'wait',
    'command',
    'dry-run',
    'env',
    'expose',
    'field-manager',
    'image',
    'image-pull-policy',
    'labels',
    'override-type',
    'overrides',
    'port',
    'privileged',
    'restart',
    'save-config',
  ],
  required: ['image'],
  run: runPod,
};

async function runPod(session: Session): Promise<Outcome> {
  const {flags} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const deletion = await deletionOf(session);
  if (deletion instanceof Failure) return deletion;
  const problem = problemOf(session, dryRun);
  if (problem) return problem;
  const made = podOf(session);
  if (made instanceof Failure) return made;
  const pod = overridden(session, made);
  if (pod instanceof Failure) return pod;
  const printer = printerOf(session, {operation: dryRunWords('created', dryRun), typed: true});
  if (printer instanceof Failure) return printer;
  const first = await createOne(session, pod, dryRun);
  if (first instanceof Failure) return first;
  // The pod is made first and told of last.
  const service = flags.on('expose') ? await exposed(session, {service: serviceOf(session, made), dryRun, printer}) : undefined;
  const refused = service instanceof Failure ? service : undefined;
  const created = service === undefined || service instanceof Failure ? [first] : [first, service];
  if (!isAttached(session)) return (await show(session, first, printer)) ?? refused;
  const outcome = await runAttached(session, first as unknown as Pod);
  return (flags.on('rm') ? await removeMade(session, created) : undefined) ?? outcome ?? refused;
}

async function exposed(
  session: Session,
  {service, dryRun, printer}: {service: AnyObject; dryRun: DryRun; printer: Printer},
): Promise<AnyObject | Failure> {
  const created = await createOne(session, service, dryRun);
  if (created instanceof Failure) return created;
  const failure = await show(session, created, printer);
  if (failure) return failure;
  if (session.flags.text('output') === 'yaml') await session.out('---\n');
  return created;
}

async function show(session: Session, object: AnyObject, printer: Printer): Promise<Failure | undefined> {
  const text = printer(object);
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}

/** An empty policy is the usual one. */
function restartOf(flags: Session['flags']): string {
  return flags.text('restart') || 'Always';
}

/** Are the container's streams joined? */
function isAttached({flags}: Pick<Session, 'flags'>): boolean {
  return flags.has('attach') ? flags.on('attach') : flags.on('stdin');
}

function problemOf({flags, args}: Session, dryRun: DryRun): Failure | undefined {
  const restart = restartOf(flags);
  if (args.length === 0 || flags.argsBeforeDash === 0) return failUsage('kubectl run', 'NAME is required for run');
  const badTimeout = podTimeoutProblem({flags});
  if (badTimeout) return badTimeout;
  const image = flags.text('image');
  if (image === '') return fail('--image is required');
  if (!isImageName(image)) return fail(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (!['Always', 'OnFailure', 'Never'].includes(restart)) return failUsage('kubectl run', `invalid restart policy: ${restart}`);
  const policy = flags.text('image-pull-policy');
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(policy))
    return failUsage('kubectl run', `invalid image pull policy: ${policy}`);
  if (flags.on('tty') && !flags.on('stdin'))
    return failUsage('kubectl run', '-i/--stdin is required for containers with -t/--tty=true');
  if (flags.on('rm') && !isAttached({flags})) return failUsage('kubectl run', '--rm should only be used for attached containers');
  if (isAttached({flags}) && dryRun !== 'none')
    return failUsage(
      'kubectl run',
      "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
    );
  if (flags.on('expose') && flags.text('port') === '')
    return failUsage('kubectl run', '--port must be set when exposing a service');
  return undefined;
}

function podOf(session: Session): AnyObject | Failure {
  const {flags, args} = session;
  const [name = ''] = args;
  const words = args.slice(1);
  const labels = flags.text('labels') === '' ? {run: name} : readLabelSpec(flags.text('labels'));
  if (labels instanceof Failure) return labels;
  const env = readPairs(flags.list('env'), {refusal: 'invalid env', isKey: key => checkStrictEnvName(key).length === 0});
  if (env instanceof Failure) return env;
  const annotations = readPairs(flags.list('annotations'), {refusal: 'invalid annotations format', isKey: () => true});
  if (annotations instanceof Failure) return annotations;
  const port = flags.text('port');
  if (port !== '' && !/^[+-]?\d+$/.test(port)) return fail(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`);
  const container = {
    name,
    image: flags.text('image'),
    resources: {},
    ...(flags.text('image-pull-policy') === '' ? {} : {imagePullPolicy: flags.text('image-pull-policy')}),
    ...(words.length > 0 ? {[flags.on('command') ? 'command' : 'args']: words} : {}),
    ...(env.length > 0 ? {env: env.map(([key, value]) => ({name: key, value}))} : {}),
    ...(port === '' ? {} : {ports: [{containerPort: Number(port)}]}),
    ...(flags.on('stdin') ? {stdin: true, ...(flags.on('leave-stdin-open') ? {} : {stdinOnce: true})} : {}),
    ...(flags.on('tty') ? {tty: true} : {}),
    ...(flags.on('privileged') ? {securityContext: {privileged: true}} : {}),
  };
  const metadata = {name, ...(annotations.length > 0 ? {annotations: Object.fromEntries(annotations)} : {}), labels};
  const spec = {containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: restartOf(flags)};
  return {apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {}} as unknown as AnyObject;
}

/** `KEY=VALUE` of a flag; `isKey` tells which keys there are. */
function readPairs(
  words: readonly string[],
  {refusal, isKey}: {refusal: string; isKey: (key: string) => boolean},
): readonly (readonly [string, string])[] | Failure {
  const pairs: [string, string][] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1 || !isKey(word.slice(0, at))) return fail(`${refusal}: ${word}`);
    pairs.push([word.slice(0, at), word.slice(at + 1)]);
  }
  return pairs;
}

function serviceOf({flags, args}: Session, pod: AnyObject): AnyObject {
  const port = Number(flags.text('port'));
  const spec = {ports: [{port, protocol: 'TCP', targetPort: port}], selector: pod.metadata.labels};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: args[0] ?? ''},
    spec,
    status: {loadBalancer: {}},
  } as unknown as AnyObject;
}

async function createOne(session: Session, object: AnyObject, dryRun: DryRun): Promise<AnyObject | Failure> {
  const wanted = withRecord(session, placed(session, object));
  if (dryRun === 'client') return wanted;
  return post(session, session.flags.on('save-config') ? withTypedRecord(wanted) : wanted, writeQuery(session, dryRun));
}

function placed(session: Session, object: AnyObject): AnyObject {
  const namespace = session.namespace();
  if (namespace instanceof Failure || !session.flags.has('namespace')) return object;
  return {...object, metadata: {...object.metadata, namespace}};
}
