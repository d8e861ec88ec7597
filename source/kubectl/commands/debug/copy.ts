// The copy of a pod that `kubectl debug --copy-to` makes.
import type {Container, Pod, PodSpec} from '../../../api/kinds/core-v1.ts';
import {isFields} from '../../../api/meta/fields.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {customFields, debugContainer, profileOf, wordsOf} from './options.ts';
import {keeping, profiled, type Kept} from './profiles.ts';

/** The copy; `name` is the container that is added or changed, empty when only images are. */
export function copyOf(session: Session, pod: Pod, name: string): Pod | Failure {
  const {flags} = session;
  const whole = bare(pod, flags.text('copy-to'), flags.on('same-node'));
  const imaged = withImages(whole, flags.list('set-image'));
  if (name === '') return imaged;
  const profile = profileOf(session);
  const changed = withContainer(session, imaged, name);
  if (changed instanceof Failure) return changed;
  const shares = profile !== 'legacy' || flags.has('share-processes');
  const kept = keptBy(session, profile === 'legacy');
  const copy = keeping(changed, kept);
  return shares ? {...copy, spec: {...(copy.spec as PodSpec), shareProcessNamespace: flags.on('share-processes')}} : copy;
}

/** Only what a new pod may bring along. */
function bare(pod: Pod, name: string, sameNode: boolean): Pod {
  const {labels, annotations, namespace} = pod.metadata;
  const {nodeName, ephemeralContainers: _ephemeral, ...spec} = pod.spec as PodSpec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, namespace, ...(labels ? {labels} : {}), ...(annotations ? {annotations} : {})},
    spec: {...spec, ...(sameNode && nodeName !== undefined ? {nodeName} : {})},
  } as Pod;
}

function withImages(pod: Pod, pairs: readonly string[]): Pod {
  const images = new Map(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const imaged = (container: Container) => {
    const image = images.get(container.name) ?? images.get('*');
    return image === undefined ? container : {...container, image};
  };
  const spec = pod.spec as PodSpec;
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map(imaged),
      ...(spec.initContainers ? {initContainers: spec.initContainers.map(imaged)} : {}),
    },
  };
}

function withContainer(session: Session, pod: Pod, name: string): Pod | Failure {
  const {flags} = session;
  const spec = pod.spec as PodSpec;
  const custom = customFields(session);
  if (custom instanceof Failure) return custom;
  const old = spec.containers.find(container => container.name === name);
  if (!old && flags.text('image') === '') return fail('you must specify image when creating new container');
  const made = debugContainer(session, name, {withResources: false});
  if (made instanceof Failure) return made;
  const {command} = wordsOf(session);
  const isArguments = flags.on('arguments-only');
  const wanted = old
    ? {
        ...old,
        ...(flags.text('image') === '' ? {} : {image: flags.text('image')}),
        ...(command.length > 0 ? (isArguments ? {args: command} : {command}) : {}),
        ...(flags.on('stdin') ? {stdin: true} : {}),
        ...(flags.on('tty') ? {tty: true} : {}),
        ...(made.env ? {env: [...(old.env ?? []), ...made.env]} : {}),
      }
    : made;
  if (command.length > 0 && !isArguments && isFields(wanted)) delete (wanted as {args?: unknown}).args;
  const container = {...profiled(wanted, profileOf(session), 'copy'), ...custom} as Container;
  const containers = old ? spec.containers.map(one => (one === old ? container : one)) : [...spec.containers, container];
  return {...pod, spec: {...spec, containers}};
}

/** The old profile keeps all but the labels. */
function keptBy({flags}: Session, isLegacy: boolean): Kept {
  return {
    labels: flags.on('keep-labels'),
    annotations: isLegacy || flags.on('keep-annotations'),
    liveness: isLegacy || flags.on('keep-liveness'),
    readiness: isLegacy || flags.on('keep-readiness'),
    startup: isLegacy || flags.on('keep-startup'),
    initContainers: flags.on('keep-init-containers'),
  };
}
