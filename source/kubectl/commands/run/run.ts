// `kubectl run`: makes one pod.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {withLastApplied} from '../apply/last-applied.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {post} from '../create/generator.ts';
import {dryRunOf, dryRunWords, writeQuery, type DryRun} from '../dry-run.ts';
import {overridden} from '../overrides.ts';
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
  const problem = problemOf(session, dryRun);
  if (problem) return problem;
  const made = podOf(session);
  if (made instanceof Failure) return made;
  const pod = overridden(session, made);
  if (pod instanceof Failure) return pod;
  const objects = flags.on('expose') ? [serviceOf(session, made), pod] : [pod];
  const printer = printerOf(session, {operation: dryRunWords('created', dryRun), typed: true});
  if (printer instanceof Failure) return printer;
  const created: AnyObject[] = [];
  for (const [index, wanted] of objects.entries()) {
    const isSilent = wanted === pod && isAttached(session);
    const object = await createOne(session, wanted, {
      dryRun,
      printer,
      isSilent,
      parts: index > 0 && flags.text('output') === 'yaml',
    });
    if (object instanceof Failure) return object;
    created.push(object);
  }
  const last = created.at(-1);
  if (!isAttached(session) || !last) return undefined;
  const outcome = await runAttached(session, last as unknown as Pod);
  return (flags.on('rm') ? await removeMade(session, created) : undefined) ?? outcome;
}

/** Are the container's streams joined? */
function isAttached({flags}: Pick<Session, 'flags'>): boolean {
  return flags.has('attach') ? flags.on('attach') : flags.on('stdin');
}

function problemOf({flags, args}: Session, dryRun: DryRun): Failure | undefined {
  const restart = flags.text('restart');
  if (args.length === 0) return failUsage('kubectl run', 'NAME is required for run');
  const image = flags.text('image');
  if (image === '') return fail('--image is required');
  if (!/^[\w][\w.\-/:@]*$/.test(image) || /[A-Z]/.test(image.split(/[:@]/)[0] ?? ''))
    return fail(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
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
  const labels = flags.text('labels') === '' ? {run: name} : readLabels(flags.text('labels'));
  if (labels instanceof Failure) return labels;
  const env = readPairs(flags.list('env'), 'env');
  if (env instanceof Failure) return env;
  const annotations = readPairs(flags.list('annotations'), 'annotation');
  if (annotations instanceof Failure) return annotations;
  const container = {
    name,
    image: flags.text('image'),
    resources: {},
    ...(flags.text('image-pull-policy') === '' ? {} : {imagePullPolicy: flags.text('image-pull-policy')}),
    ...(words.length > 0 ? {[flags.on('command') ? 'command' : 'args']: words} : {}),
    ...(env.length > 0 ? {env: env.map(([key, value]) => ({name: key, value}))} : {}),
    ...(flags.text('port') === '' ? {} : {ports: [{containerPort: Number(flags.text('port'))}]}),
    ...(flags.on('stdin') ? {stdin: true, ...(flags.on('leave-stdin-open') ? {} : {stdinOnce: true})} : {}),
    ...(flags.on('tty') ? {tty: true} : {}),
    ...(flags.on('privileged') ? {securityContext: {privileged: true}} : {}),
  };
  const metadata = {name, ...(annotations.length > 0 ? {annotations: Object.fromEntries(annotations)} : {}), labels};
  const spec = {containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: flags.text('restart')};
  return {apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {}} as unknown as AnyObject;
}

function readLabels(text: string): Readonly<Record<string, string>> | Failure {
  const parsed = parseSelector(text);
  if ('error' in parsed) return fail(parsed.error);
  return Object.fromEntries(parsed.requirements.map(({key, values}) => [key, values[0] ?? '']));
}

function readPairs(words: readonly string[], what: string): readonly (readonly [string, string])[] | Failure {
  const pairs: [string, string][] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) return fail(`invalid ${what}: ${word}`);
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

interface Work {
  readonly dryRun: DryRun;
  readonly printer: Printer;
  /** A line that parts documents goes before. */
  readonly parts: boolean;
  /** Nothing is said of it. */
  readonly isSilent: boolean;
}

async function createOne(
  session: Session,
  object: AnyObject,
  {dryRun, printer, parts, isSilent}: Work,
): Promise<AnyObject | Failure> {
  const wanted = placed(session, session.flags.on('save-config') ? withLastApplied(object) : object);
  const created = dryRun === 'client' ? wanted : await post(session, wanted, writeQuery(session, dryRun));
  if (created instanceof Failure) return created;
  if (isSilent) return created;
  const text = printer(created);
  if (text instanceof Failure) return text;
  await session.out(parts ? `---\n${text}` : text);
  return created;
}

function placed(session: Session, object: AnyObject): AnyObject {
  const namespace = session.namespace();
  if (namespace instanceof Failure || !session.flags.has('namespace')) return object;
  return {...object, metadata: {...object.metadata, namespace}};
}
