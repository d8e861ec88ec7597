// Who a container is on its node, and what it may do there: contexts of containers and of pods.
import type {AppArmorProfile, PodSpec, SeccompProfile, SecurityContext} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, tooLong} from '../meta/field-error.ts';
import {rangeText} from '../meta/names.ts';
import {goStruct} from '../schema/go-structs.ts';
import {descendingPath} from './paths.ts';
import {type Errors, oneOf} from './rules.ts';
import {windowsOptions} from './windows.ts';

const MOST_ID = 2_147_483_647;
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const LONGEST_PROFILE = 4095;

/** A user's or group's number. */
function identity(id: number | undefined, path: FieldPath, errors: Errors): void {
  if (id !== undefined && (id < 0 || id > MOST_ID)) errors.push(invalid(path, id, rangeText(0, MOST_ID)));
}

/** The context of a container; `hostUsers`: its users are those of the node. */
export function securityContext(
  context: SecurityContext | undefined,
  {path, hostUsers}: {path: FieldPath; hostUsers: boolean},
  errors: Errors,
): void {
  if (!context) return;
  identity(context.runAsUser, path.child('runAsUser'), errors);
  identity(context.runAsGroup, path.child('runAsGroup'), errors);
  if (context.procMount !== undefined) {
    oneOf(context.procMount, {path: path.child('procMount'), of: ['Default', 'Unmasked']}, errors);
    if (hostUsers && context.procMount === 'Unmasked')
      errors.push(invalid(path.child('procMount'), 'Unmasked', '`hostUsers` must be false to use `Unmasked`'));
  }
  seccomp(context.seccompProfile, path.child('seccompProfile'), errors);
  if (context.allowPrivilegeEscalation === false) noEscalation(context, path, errors);
  windowsOptions(context.windowsOptions, path.child('windowsOptions'), errors);
  appArmor(context.appArmorProfile, path.child('appArmorProfile'), errors);
}

function noEscalation(context: SecurityContext, path: FieldPath, errors: Errors): void {
  const refuse = (what: string) =>
    errors.push(
      invalid(path, goStruct('SecurityContext', context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`),
    );
  if (context.privileged === true) refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? [])
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
}

/** Which system calls are allowed. */
function seccomp(profile: SeccompProfile | undefined, path: FieldPath, errors: Errors): void {
  if (!profile) return;
  const {type, localhostProfile: file} = profile;
  const at = path.child('localhostProfile');
  if (!type) errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else oneOf(type, {path: path.child('type'), of: PROFILES}, errors);
  if (type !== 'Localhost') {
    if (file !== undefined)
      errors.push(invalid(at, goStruct('Profile', profile), 'can only be set when seccomp type is Localhost'));
  } else if (file === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'));
  else descendingPath(file, at, errors);
}

/** What AppArmor lets a container do. */
function appArmor(profile: AppArmorProfile | undefined, path: FieldPath, errors: Errors): void {
  if (!profile) return;
  const {type, localhostProfile: name} = profile;
  const at = path.child('localhostProfile');
  if (!type) errors.push(required(path.child('type'), 'type is required when appArmorProfile is set'));
  else if (!PROFILES.includes(type)) errors.push(notSupported(path.child('type'), type, PROFILES));
  else if (type !== 'Localhost') {
    if (name !== undefined) errors.push(invalid(at, name, 'can only be set when AppArmor type is Localhost'));
  } else if (!name) errors.push(required(at, 'must be set when AppArmor type is Localhost'));
  else {
    if (name.trim() !== name) errors.push(invalid(at, name, 'must not be padded with whitespace'));
    if (name.length > LONGEST_PROFILE) errors.push(tooLong(at, LONGEST_PROFILE));
  }
}

/** The context of a pod as a whole. */
export function podSecurityContext(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const context = spec.securityContext;
  identity(context?.fsGroup, path.child('fsGroup'), errors);
  identity(context?.runAsUser, path.child('runAsUser'), errors);
  identity(context?.runAsGroup, path.child('runAsGroup'), errors);
  context?.supplementalGroups?.forEach((group, i) => identity(group, path.child('supplementalGroups').index(i), errors));
  if (spec.shareProcessNamespace && spec.hostPID) {
    errors.push(invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  if (!context) return;
  sysctls(spec, path.child('sysctls'), errors);
  word(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], {path: path.child('fsGroupChangePolicy'), errors});
  seccomp(context.seccompProfile, path.child('seccompProfile'), errors);
  windowsOptions(context.windowsOptions, path.child('windowsOptions'), errors);
  appArmor(context.appArmorProfile, path.child('appArmorProfile'), errors);
  word(context.supplementalGroupsPolicy, ['Merge', 'Strict'], {path: path.child('supplementalGroupsPolicy'), errors});
  // Another way than Recursive is behind a gate that is off.
  word(context.seLinuxChangePolicy, ['Recursive'], {path: path.child('seLinuxChangePolicy'), errors});
}

function word(value: string | undefined, of: readonly string[], {path, errors}: {path: FieldPath; errors: Errors}): void {
  if (value !== undefined) oneOf(value, {path, of}, errors);
}

const LONGEST_SYSCTL = 253;
const SYSCTL_FORM = String.raw`([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`;
const SYSCTL = new RegExp(`^${SYSCTL_FORM}$`);
const NOT_SYSCTL = `must have at most ${LONGEST_SYSCTL} characters and match regex ^${SYSCTL_FORM}$`;

/** Settings of the kernel: those of a namespace that is the node's are not the pod's. */
function sysctls({securityContext: context, hostNetwork, hostIPC}: PodSpec, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  context?.sysctls?.forEach(({name}, i) => {
    const at = path.index(i).child('name');
    if (!name) errors.push(required(at));
    else if (name.length > LONGEST_SYSCTL || !SYSCTL.test(name)) errors.push(invalid(at, name, NOT_SYSCTL));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const namespace = namespaceOf(name ?? '');
    if (hostNetwork && namespace === 'net') errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    else if (hostIPC && namespace === 'ipc') errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
  });
}

/** The namespace that a setting belongs to. */
function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  const dotted =
    name.includes('.') && (!name.includes('/') || name.indexOf('.') < name.indexOf('/')) ? name : name.replaceAll('/', '.');
  if (dotted.startsWith('net.')) return 'net';
  return /^(kernel\.(shm|msg)|kernel\.sem$|fs\.mqueue\.)/.test(dotted) ? 'ipc' : undefined;
}

/** Pods whose users are not the node's cannot share its other namespaces, nor its devices. */
export function ownUsers(spec: PodSpec, path: FieldPath, errors: Errors): void {
  if (spec.hostUsers !== false) return;
  const text = 'when `hostUsers` is false';
  if (spec.hostNetwork) errors.push(forbiddenField(path.child('hostNetwork'), text));
  if (spec.hostPID) errors.push(forbiddenField(path.child('HostPID'), text));
  if (spec.hostIPC) errors.push(forbiddenField(path.child('HostIPC'), text));
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    spec[list]?.forEach(({volumeDevices = []}, i) => {
      if (volumeDevices.length > 0) errors.push(forbiddenField(path.child(list).index(i).child('volumeDevices'), text));
    });
  }
}
