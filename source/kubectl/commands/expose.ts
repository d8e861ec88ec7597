// `kubectl expose`: makes a service for the pods of a workload, a pod or another service.
import type {Container, Pod, PodTemplateSpec, ServicePort} from '../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {fail, Failure, gather, restated} from '../failure.ts';
import {missingResource} from '../resources/arguments.ts';
import {type Found, visitEach} from '../resources/found.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {withTypedRecord} from './apply/last-applied.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {intOrText} from './create/accounts.ts';
import {withRecord} from './change-cause.ts';
import {post} from './create/generator.ts';
import {dryRunOf, dryRunWords, writeQuery, type DryRun} from './dry-run.ts';
import {overridden} from './overrides.ts';
import {readLabelSpec} from './pairs.ts';
import {printResult} from './result.ts';
import {groupKind} from './rollout/targets.ts';

export const expose: Command = {
  path: 'kubectl expose',
  short: 'Make a service for a workload, a pod or another service',
  examples: [
    'kubectl expose deployment web --port=80 --target-port=8080',
    'kubectl expose pod web --port=80 --name=door --type=NodePort',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'cluster-ip',
    'dry-run',
    'external-ip',
    'field-manager',
    'labels',
    'load-balancer-ip',
    'name',
    'override-type',
    'overrides',
    'port',
    'protocol',
    'save-config',
    'selector',
    'session-affinity',
    'target-port',
    'type',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const selected = await select(session, {args, files: session.files, recursive: flags.on('recursive'), typed: true});
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => exposeOne(session, found, dryRun)));
}

async function exposeOne(session: Session, found: Found, dryRun: DryRun): Promise<Failure | undefined> {
  const {object} = found;
  if (!object) return undefined;
  const made = serviceFor(session, found, object);
  if (made instanceof Failure) return made;
  const patched = overridden(session, made);
  if (patched instanceof Failure) return patched;
  const changed = withRecord(session, patched);
  if (dryRun === 'client') return printResult(session, changed, dryRunWords('exposed', dryRun), {typed: true});
  const service = session.flags.on('save-config') ? withTypedRecord(changed) : changed;
  const created = await post(session, service, writeQuery(session, dryRun));
  return created instanceof Failure ? created : printResult(session, created, dryRunWords('exposed', dryRun), {typed: true});
}

function serviceFor({flags}: Session, {kind}: Found, object: AnyObject): AnyObject | Failure {
  const source = exposable(object);
  if (!source) return fail(`cannot expose a ${groupKind(kind)}`);
  const selector = flags.text('selector') === '' ? ownSelector(source) : readLabelSpec(flags.text('selector'));
  if (selector instanceof Failure) return selector;
  if (Object.keys(selector).length === 0) return fail('selector must be specified');
  const ports = portsOf({flags}, source.ports);
  if (ports instanceof Failure) return ports;
  const labels = flags.text('labels') === '' ? object.metadata.labels : readLabelSpec(flags.text('labels'));
  if (labels instanceof Failure) return labels;
  const affinity = flags.text('session-affinity');
  if (!['', 'None', 'ClientIP'].includes(affinity)) return fail(`unknown session affinity: ${affinity}`);
  const name = flags.text('name') || object.metadata.name;
  const hasLabels = Object.keys(labels ?? {}).length > 0;
  const optional = {
    ...textField('type', flags.text('type')),
    ...textField('clusterIP', flags.text('cluster-ip')),
    ...(flags.text('type') === 'LoadBalancer' ? textField('loadBalancerIP', flags.text('load-balancer-ip')) : {}),
    ...textField('sessionAffinity', flags.text('session-affinity')),
    ...(flags.text('external-ip') === '' ? {} : {externalIPs: [flags.text('external-ip')]}),
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name, ...(hasLabels ? {labels} : {})},
    spec: {...(ports.length > 0 ? {ports} : {}), selector, ...optional},
    status: {loadBalancer: {}},
  };
  return service as unknown as AnyObject;
}

function textField(name: string, value: string): Readonly<Record<string, string>> {
  return value === '' ? {} : {[name]: value};
}

interface Source {
  readonly selector: Readonly<Record<string, string>> | Failure;
  readonly ports: readonly ServicePort[];
}

function ownSelector({selector}: Source): Source['selector'] {
  return selector instanceof Failure
    ? restated(selector, "couldn't retrieve selectors via --selector flag or introspection: ")
    : selector;
}

/** The selector and the ports of what is exposed; undefined for kinds that have none. */
function exposable(object: AnyObject): Source | undefined {
  const spec = (object.spec ?? {}) as {selector?: unknown; template?: PodTemplateSpec; ports?: readonly ServicePort[]};
  switch (object.kind) {
    case 'Pod': {
      const {labels = {}} = object.metadata;
      const selector = Object.keys(labels).length > 0 ? labels : fail('the pod has no labels and cannot be exposed');
      return {selector, ports: containerPorts((object as unknown as Pod).spec?.containers)};
    }
    case 'Service':
      return {
        selector: spec.selector
          ? (spec.selector as Readonly<Record<string, string>>)
          : fail('the service has no pod selector set'),
        ports: spec.ports ?? [],
      };
    case 'ReplicationController':
      return {
        selector: (spec.selector ?? {}) as Readonly<Record<string, string>>,
        ports: containerPorts(spec.template?.spec?.containers),
      };
    case 'Deployment':
    case 'ReplicaSet': {
      const selector = spec.selector as LabelSelector | undefined;
      const labels = selector?.matchLabels ?? {};
      const named = object.kind.toLowerCase();
      const isPlain = (selector?.matchExpressions ?? []).length === 0;
      return {
        selector:
          Object.keys(labels).length === 0
            ? fail(`invalid ${named}: no selectors, therefore cannot be exposed`)
            : isPlain
              ? labels
              : fail('couldn\'t convert expressions - "[]" to map-based selector format'),
        ports: containerPorts(spec.template?.spec?.containers),
      };
    }
    default:
      return undefined;
  }
}

function containerPorts(containers: readonly Container[] | undefined): readonly ServicePort[] {
  return (containers ?? []).flatMap(({ports = []}) =>
    ports.map(({containerPort, protocol}) => ({port: containerPort, protocol: protocol ?? 'TCP'})),
  );
}

function portsOf({flags}: Pick<Session, 'flags'>, own: readonly ServicePort[]): readonly object[] | Failure {
  const numbers = flags.text('port') === '' ? [...new Set(own.map(({port}) => String(port)))] : flags.text('port').split(',');
  if (numbers.length === 0 && flags.text('cluster-ip') === 'None') return [];
  if (numbers.length === 0) return fail("couldn't find port via --port flag or introspection");
  const ports: object[] = [];
  for (const [index, text] of numbers.entries()) {
    const port = Number(text);
    if (!/^\d+$/.test(text)) return fail(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
    const protocol = flags.text('protocol') || (own.find(one => one.port === port)?.protocol ?? 'TCP');
    const target = flags.text('target-port');
    ports.push({
      ...(numbers.length > 1 ? {name: `port-${index + 1}`} : {}),
      port,
      protocol,
      targetPort: target === '' ? port : intOrText(target),
    });
  }
  return ports;
}
