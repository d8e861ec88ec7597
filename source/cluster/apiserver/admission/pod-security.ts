// PodSecurity: namespaces say by labels which of the Pod Security Standards their pods must keep (`enforce`), and about which their
// users are warned (`warn`). Pods are refused; whatever holds a pod template is only warned about.
//
// A namespace whose labels ask for more than before is told which of its pods would not be let in now.
//
// Not modelled: audit annotations and exemptions.
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {invalidObject} from '../../../api/meta/status.ts';
import type {Core} from '../core.ts';
import {refuse} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import {sameValue} from '../registry/equal.ts';
import type {Plugin} from './plugin.ts';
import {forbid, specOf} from './pod-object.ts';
import {checksOf} from './pod-security-checks.ts';
import {
  enforcedVersion,
  isNews,
  type Policy,
  policyErrors,
  policyOf,
  type Standard,
  standardText,
} from './pod-security-policy.ts';

const TEMPLATES = [
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'replicationcontrollers',
  'podtemplates',
];

const known = new WeakMap<PodSpec, Map<string, readonly string[]>>();

export const podSecurity: Plugin = {
  name: 'PodSecurity',
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  subresources: ['', 'ephemeralcontainers'],
  validate(attributes) {
    const {object, old, write} = attributes;
    const {enforce, warn} = policyHere(attributes);
    if (!(enforce ?? warn) || !object) return undefined;
    const spec = specOf(object);
    if (old && sameValue(withoutImages(spec), withoutImages(specOf(old)))) return undefined;
    const broken = enforce ? violations(enforce, spec) : [];
    if (enforce && broken.length > 0)
      return forbid(attributes, object, `violates PodSecurity "${standardText(enforce)}": ${broken.join(', ')}`);
    if (warn) warnAbout(write.warnings, warn, spec);
    return undefined;
  },
};

export const podSecurityWarnings: Plugin = {
  name: 'PodSecurity',
  resources: TEMPLATES,
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {object, old, write} = attributes;
    const {enforce, warn} = policyHere(attributes);
    const level = warn ?? enforce;
    const spec = templateSpec(object);
    if (!level || !spec || (old && sameValue(spec, templateSpec(old)))) return undefined;
    warnAbout(write.warnings, level, spec);
    return undefined;
  },
};

/** The labels of a namespace must mean something; when they ask for more, its pods are looked through. */
export const podSecurityLabels: Plugin = {
  name: 'PodSecurity',
  resources: ['namespaces'],
  operations: ['CREATE', 'UPDATE'],
  validate({object, old, write}) {
    if (!object) return undefined;
    const errors = policyErrors(object);
    if (errors.length > 0 && !(old && sameValue(errors, policyErrors(old))))
      return refuse(invalidObject(write.served.facts, object.metadata.name, errors));
    const {enforce} = policyOf(object);
    if (old && enforce && isNews(enforce, policyOf(old).enforce, enforcedVersion(old)))
      write.warnings.push(...existingPods(write.core, object.metadata.name, enforce));
    return undefined;
  },
};

/** What is wrong with the pods that are there: each reason once, with the first pod and how many others have it too. */
function existingPods(core: Core, namespace: string, standard: Standard): string[] {
  const pods = new Map<string, string[]>();
  for (const pod of core.resources.of('pods').cache.objects(namespace)) {
    const reasons = violations(standard, specOf(pod))
      .map(text => text.replace(/ \(.*$/s, ''))
      .join(', ');
    if (reasons !== '') pods.set(reasons, [...(pods.get(reasons) ?? []), pod.metadata.name]);
  }
  if (pods.size === 0) return [];
  const lines = [...pods].map(([reasons, found]) => {
    const [first = ''] = found.sort(compareStrings);
    const others = found.length - 1;
    return `${first}${others === 0 ? '' : ` (and ${others} other pod${others === 1 ? '' : 's'})`}: ${reasons}`;
  });
  const head = `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(standardText(standard))}`;
  return [head, ...lines.sort(compareStrings)];
}

function warnAbout(warnings: string[], standard: Standard, spec: PodSpec): void {
  const broken = violations(standard, spec);
  if (broken.length > 0) warnings.push(`would violate PodSecurity "${standardText(standard)}": ${broken.join(', ')}`);
}

/** The sentences of a standard that a spec breaks; remembered, as pods of a template share their spec. */
function violations(standard: Standard, spec: PodSpec): readonly string[] {
  const key = standardText(standard);
  const found = known.get(spec)?.get(key);
  if (found) return found;
  const made = checksOf(standard.level, standard.minor).flatMap(check => check(spec) ?? []);
  if (Object.isFrozen(spec)) known.set(spec, (known.get(spec) ?? new Map<string, readonly string[]>()).set(key, made));
  return made;
}

function policyHere({write}: Attributes): Policy {
  return policyOf(write.core.resources.of('namespaces').cache.get(write.info.namespace));
}

/** New images, which a pod may get at any time, change nothing here. */
function withoutImages(spec: PodSpec): unknown {
  return {
    ...spec,
    containers: spec.containers.map(each => ({...each, image: ''})),
    activeDeadlineSeconds: undefined,
    tolerations: undefined,
  };
}

function templateSpec(object: AnyObject | undefined): PodSpec | undefined {
  if (!object) return undefined;
  const holder = object as AnyObject & {readonly template?: {readonly spec?: PodSpec}};
  const spec = object.spec as
    | {
        readonly template?: {readonly spec?: PodSpec};
        readonly jobTemplate?: {readonly spec?: {readonly template?: {readonly spec?: PodSpec}}};
      }
    | undefined;
  return holder.template?.spec ?? spec?.template?.spec ?? spec?.jobTemplate?.spec?.template?.spec;
}
