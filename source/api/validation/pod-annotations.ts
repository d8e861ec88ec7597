// Annotations of pods and templates that mean something to the server, a kubelet or a controller.
import type {PodSpec} from '../kinds/core-v1.ts';
import type {ObjectMeta} from '../kinds/meta.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {descendingPath} from './paths.ts';
import type {Errors} from './rules.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
/** On a pod that a kubelet has from a file. */
export const MIRROR = 'kubernetes.io/config.mirror';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const MOST_INT32 = 2_147_483_647;
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The annotations of a pod, or of a template, whose path is given. */
export interface Annotated {
  readonly path: FieldPath;
  readonly spec: PodSpec;
  readonly specPath: FieldPath;
}

/** Annotations that can be read, and that say what the fields say. */
export function podAnnotations({annotations}: Partial<ObjectMeta>, {path, spec, specPath}: Annotated, errors: Errors): void {
  if (!annotations) return;
  const mirror = annotations[MIRROR];
  if (mirror !== undefined && !spec.nodeName)
    errors.push(invalid(path.key(MIRROR), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !isInt32(cost)) errors.push(invalid(path.key(DELETION_COST), cost, 'must be a 32bit integer'));
  for (const key of Object.keys(annotations).sort(compareStrings)) {
    const value = annotations[key] ?? '';
    if (key === SECCOMP_POD || key.startsWith(SECCOMP)) seccompValue(value, path.child(key), errors);
    if (key.startsWith(APPARMOR)) appArmorValue(value, {name: key.slice(APPARMOR.length), path: path.key(key), spec}, errors);
  }
  profilesMatch(annotations, spec, {path: specPath, errors});
}

function isInt32(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -MOST_INT32 - 1 && Number(text) <= MOST_INT32;
}

function seccompValue(value: string, path: FieldPath, errors: Errors): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(value)) return;
  if (value.startsWith('localhost/')) descendingPath(value.slice('localhost/'.length), path, errors);
  else errors.push(invalid(path, value, 'must be a valid seccomp profile'));
}

function appArmorValue(value: string, at: {name: string; path: FieldPath; spec: PodSpec}, errors: Errors): void {
  if (!LISTS.some(list => at.spec[list]?.some(({name}) => name === at.name)))
    errors.push(invalid(at.path, at.name, 'container not found'));
  if (!['', 'runtime/default', 'unconfined'].includes(value) && !value.startsWith('localhost/'))
    errors.push(invalid(at.path, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`));
}

interface Profile {
  readonly type: string;
  readonly localhostProfile?: string;
}

/** What an annotation says must be what the field says. */
function profilesMatch(
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec,
  {path, errors}: {path: FieldPath; errors: Errors},
): void {
  const compare = (key: string, profile: Profile | undefined, {at, what}: {at: FieldPath; what: string}) => {
    const said = annotations[key];
    const field = profile && said !== undefined ? mismatch(said, profile) : undefined;
    if (field === undefined) return;
    const which = field === 'type' ? 'type' : 'profile';
    errors.push(forbiddenField(at.child(field), `${what} ${which} in annotation and field must match`));
  };
  const context = spec.securityContext;
  const whole = path.child('securityContext', 'seccompProfile');
  compare(SECCOMP_POD, context?.seccompProfile, {at: whole, what: 'seccomp'});
  for (const list of LISTS) {
    spec[list]?.forEach(({name, securityContext}, i) => {
      const at = path.child(list).index(i).child('securityContext');
      compare(SECCOMP + name, securityContext?.seccompProfile, {at: at.child('seccompProfile'), what: 'seccomp'});
      if (spec.os?.name === 'windows') return;
      const profile = securityContext?.appArmorProfile ?? context?.appArmorProfile;
      compare(APPARMOR + name, profile, {at: at.child('appArmorProfile'), what: 'apparmor'});
    });
  }
}

function mismatch(said: string, {type, localhostProfile}: Profile): 'type' | 'localhostProfile' | undefined {
  if (type === 'Unconfined') return said === 'unconfined' ? undefined : 'type';
  if (type === 'RuntimeDefault') return said === 'runtime/default' || said === 'docker/default' ? undefined : 'type';
  if (type !== 'Localhost') return undefined;
  if (!said.startsWith('localhost/')) return 'type';
  return said === `localhost/${localhostProfile ?? ''}` ? undefined : 'localhostProfile';
}

/** Some annotations of a pod stay as they are. */
export function podAnnotationsStay(
  now: Readonly<Record<string, string>> | undefined,
  before: Readonly<Record<string, string>> | undefined,
  {path, errors}: {path: FieldPath; errors: Errors},
): void {
  for (const key of Object.keys({...before, ...now}).sort(compareStrings)) {
    if (now?.[key] === before?.[key]) continue;
    const verb = before?.[key] === undefined ? 'add' : 'remove or update';
    if (key.startsWith(APPARMOR)) errors.push(forbiddenField(path.key(key), `may not ${verb} AppArmor annotations`));
    if (key === MIRROR) errors.push(forbiddenField(path.key(key), `may not ${verb} mirror pod annotation`));
  }
}
