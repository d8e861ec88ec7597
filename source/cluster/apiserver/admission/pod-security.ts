// PodSecurity: namespaces say by labels which of the Pod Security Standards their pods must keep (`enforce`), and about which their
// users are warned (`warn`). Pods are refused; whatever holds a pod template is only warned about.
//
// Not modelled: versions other than the newest, audit annotations and exemptions.
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Attributes} from '../registry/write.ts';
import {sameValue} from '../registry/equal.ts';
import type {Plugin} from './plugin.ts';
import {forbid, specOf} from './pod-object.ts';
import {BASELINE, RESTRICTED, type Check} from './pod-security-checks.ts';

const LABEL = 'pod-security.kubernetes.io/';

type Level = 'baseline' | 'restricted';

const CHECKS: Readonly<Record<Level, readonly Check[]>> = {baseline: BASELINE, restricted: RESTRICTED};
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

const known = new WeakMap<PodSpec, Map<Level, readonly string[]>>();

export const podSecurity: Plugin = {
  name: 'PodSecurity',
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  subresources: ['', 'ephemeralcontainers'],
  validate(attributes) {
    const {object, old, write} = attributes;
    const levels = levelsOf(attributes);
    if (!levels || !object) return undefined;
    const spec = specOf(object);
    if (old && sameValue(withoutImages(spec), withoutImages(specOf(old)))) return undefined;
    const {enforce, warn} = levels;
    const broken = enforce ? violations(enforce, spec) : [];
    if (enforce && broken.length > 0)
      return forbid(attributes, object, `violates PodSecurity "${enforce}:latest": ${broken.join(', ')}`);
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
    const levels = levelsOf(attributes);
    const level = levels?.warn ?? levels?.enforce;
    const spec = templateSpec(object);
    if (!level || !spec || (old && sameValue(spec, templateSpec(old)))) return undefined;
    warnAbout(write.warnings, level, spec);
    return undefined;
  },
};

function warnAbout(warnings: string[], level: Level, spec: PodSpec): void {
  const broken = violations(level, spec);
  if (broken.length > 0) warnings.push(`would violate PodSecurity "${level}:latest": ${broken.join(', ')}`);
}

/** The sentences of a level that a spec breaks; remembered, as pods of a template share their spec. */
function violations(level: Level, spec: PodSpec): readonly string[] {
  const found = known.get(spec)?.get(level);
  if (found) return found;
  const made = CHECKS[level].flatMap(check => check(spec) ?? []);
  if (Object.isFrozen(spec)) known.set(spec, (known.get(spec) ?? new Map<Level, readonly string[]>()).set(level, made));
  return made;
}

function levelsOf({write}: Attributes): {enforce: Level | undefined; warn: Level | undefined} | undefined {
  const namespace = write.core.resources.of('namespaces').cache.get(write.info.namespace);
  const labels = namespace?.metadata.labels;
  if (!labels) return undefined;
  const enforce = levelOf(labels[`${LABEL}enforce`]);
  const warn = levelOf(labels[`${LABEL}warn`]);
  return enforce || warn ? {enforce, warn} : undefined;
}

function levelOf(text: string | undefined): Level | undefined {
  return text === 'baseline' || text === 'restricted' ? text : undefined;
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
