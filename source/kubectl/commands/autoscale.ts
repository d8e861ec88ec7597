// `kubectl autoscale`: makes a horizontal pod autoscaler for a workload.
import type {AnyObject} from '../../api/meta/object.ts';
import {canonicalQuantity, parseQuantity} from '../../api/meta/quantity.ts';
import {fail, Failure, gather} from '../failure.ts';
import {missingResource} from '../resources/arguments.ts';
import {type Found, visitEach} from '../resources/found.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {withTypedRecord} from './apply/last-applied.ts';
import {withRecord} from './change-cause.ts';
import {post} from './create/generator.ts';
import {dryRunOf, dryRunWords, writeQuery, type DryRun} from './dry-run.ts';
import {printResult} from './result.ts';

export const autoscale: Command = {
  path: 'kubectl autoscale',
  short: 'Let a workload be scaled by what it uses',
  examples: ['kubectl autoscale deployment web --min=2 --max=5 --cpu=70%'],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'cpu',
    'cpu-percent',
    'dry-run',
    'field-manager',
    'max',
    'memory',
    'min',
    'name',
    'save-config',
  ],
  required: ['max'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const [least, most] = [flags.number('min'), flags.number('max')];
  if (most < 1) return fail('--max=MAXPODS is required and must be at least 1, max: ' + most);
  if (most < least) return fail(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${most}, min: ${least}`);
  if (flags.has('cpu-percent') && flags.has('cpu')) return fail('--cpu-percent and --cpu are mutually exclusive');
  const metrics = [metricOf('cpu', cpuOf(session)), metricOf('memory', flags.text('memory'))];
  const wrong = metrics.find(metric => metric instanceof Failure);
  if (wrong instanceof Failure) return wrong;
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const selected = await select(session, {args, files: session.files, recursive: flags.on('recursive')});
  if (selected instanceof Failure) return selected;
  if (selected.found.length === 0 && selected.failures.length === 0) return fail('no objects passed to autoscale');
  return gather(
    await visitEach(selected, found =>
      scaleOne(session, found, {dryRun, metrics: metrics.filter(metric => metric !== undefined)}),
    ),
  );
}

/** `--cpu-percent` is the old way to say it. */
function cpuOf({flags}: Session): string {
  return flags.number('cpu-percent') > 0 ? `${flags.number('cpu-percent')}%` : flags.text('cpu');
}

/** `70%` is a share of what is requested, `500m` an amount. */
function metricOf(name: string, text: string): object | Failure | undefined {
  if (text === '') return undefined;
  if (text.endsWith('%')) {
    const share = text.slice(0, -1);
    if (!/^\d+$/.test(share)) return fail(`invalid percentage value: ${share}`);
    return {type: 'Resource', resource: {name, target: {type: 'Utilization', averageUtilization: Number(share)}}};
  }
  const parsed = parseQuantity(text);
  if ('error' in parsed) return fail(`invalid resource ${name} value: ${text}`);
  // A bare number is one of thousandths of a processor, or of mebibytes.
  const amount = /^[+-]?[\d.]+$/.test(text) ? `${text}${name === 'cpu' ? 'm' : 'Mi'}` : text;
  return {type: 'Resource', resource: {name, target: {type: 'AverageValue', averageValue: canonicalQuantity(amount)}}};
}

async function scaleOne(
  session: Session,
  {object, kind}: Found,
  {dryRun, metrics}: {dryRun: DryRun; metrics: readonly unknown[]},
): Promise<Failure | undefined> {
  if (!object) return undefined;
  if (!['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'].includes(object.kind))
    return fail(
      `cannot autoscale a ${object.kind}: could not find scale subresource for ${kind.group}/${kind.version}, Resource=${kind.resource} in discovery information`,
    );
  const {flags} = session;
  const name = flags.text('name') || object.metadata.name;
  const spec = {
    scaleTargetRef: {apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name},
    maxReplicas: flags.number('max'),
    ...(flags.number('min') > 0 ? {minReplicas: flags.number('min')} : {}),
    ...(metrics.length > 0 ? {metrics} : {}),
  };
  const scaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: {name},
    spec,
    status: {currentMetrics: null, desiredReplicas: 0},
  } as unknown as AnyObject;
  const wanted = withRecord(session, scaler);
  if (dryRun === 'client') return printResult(session, wanted, dryRunWords('created', dryRun), {typed: true});
  const created = await createEither(session, flags.on('save-config') ? withTypedRecord(wanted) : wanted, dryRun);
  return created instanceof Failure ? created : printResult(session, created, dryRunWords('autoscaled', dryRun), {typed: true});
}

/**
 * When the server refuses, the older version of the kind is tried, which knows nothing but a share of CPU; even that is left out. Where it
 * would not do, that is told and not the refusal.
 */
async function createEither(session: Session, scaler: AnyObject, dryRun: DryRun): Promise<AnyObject | Failure> {
  const query = writeQuery(session, dryRun);
  const created = await post(session, scaler, query);
  if (!(created instanceof Failure)) return created;
  const cpu = cpuOf(session);
  if (!cpu.endsWith('%') || session.flags.text('memory') !== '')
    return fail(
      `failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: ${cpu === '' ? 'empty input' : '%!w(<nil>)'}`,
    );
  const {metrics: _metrics, ...spec} = scaler.spec as {metrics?: unknown};
  return post(session, {...scaler, apiVersion: 'autoscaling/v1', spec, status: undefined} as unknown as AnyObject, query);
}
