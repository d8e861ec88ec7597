// What the server says to whoever writes an object that it accepts all the same. One line a kind.
import type {PersistentVolume, PodSpec, Service} from '../../../api/kinds/core-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {addressWarning, annotationWarnings, specWarnings} from './pod-warnings.ts';

type Warn = (object: AnyObject) => readonly string[];

interface Template {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: PodSpec;
}

const ofPod: Warn = ({metadata, spec}) =>
  joined(annotationWarnings(metadata.annotations, 'metadata'), specWarnings(spec as PodSpec, 'spec'));

function ofTemplate(path: string, find: (object: AnyObject) => Template | undefined): Warn {
  return object => {
    const template = find(object);
    return joined(
      annotationWarnings(template?.metadata?.annotations, `${path}.metadata`),
      specWarnings(template?.spec, `${path}.spec`),
    );
  };
}

function joined(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.length === 0 ? b : [...a, ...b];
}

const ofWorkload = ofTemplate('spec.template', object => (object.spec as {readonly template?: Template} | undefined)?.template);
const ofCronJob = ofTemplate(
  'spec.jobTemplate.spec.template',
  object =>
    (object.spec as {readonly jobTemplate?: {readonly spec?: {readonly template?: Template}}} | undefined)?.jobTemplate?.spec
      ?.template,
);

const ofVolume: Warn = object => {
  const policy = (object as unknown as PersistentVolume).spec?.persistentVolumeReclaimPolicy;
  if (policy !== 'Recycle') return [];
  return [
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
  ];
};

const ofService: Warn = object => {
  const {externalIPs = [], loadBalancerIP} = (object as unknown as Service).spec ?? {};
  const addresses = externalIPs.flatMap((address, index) => addressWarning(address, `spec.externalIPs[${index}]`));
  return loadBalancerIP ? [...addresses, ...addressWarning(loadBalancerIP, 'spec.loadBalancerIP')] : addresses;
};

const WARNINGS: Readonly<Record<string, Warn>> = {
  pods: ofPod,
  persistentvolumes: ofVolume,
  services: ofService,
  replicationcontrollers: ofWorkload,
  'deployments.apps': ofWorkload,
  'replicasets.apps': ofWorkload,
  'statefulsets.apps': ofWorkload,
  'daemonsets.apps': ofWorkload,
  'jobs.batch': ofWorkload,
  'cronjobs.batch': ofCronJob,
};

/** What is to be said about an object of a resource (`pods`, `deployments.apps`). */
export function warningsOf(resource: string, object: AnyObject): readonly string[] {
  return WARNINGS[resource]?.(object) ?? [];
}
