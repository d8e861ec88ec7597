// The containers of a pod: regular ones, init containers, and those that are added to look into it.
import type {Container, ContainerPort, PodSpec, SecurityContext, VolumeMount} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notFoundValue, required} from '../meta/field-error.ts';
import {checkLabel, checkPortName, checkPortNumber, rangeText} from '../meta/names.ts';
import {isSidecar} from '../meta/pod.ts';
import {goStruct} from '../schema/go-structs.ts';
import {envFrom, envVars} from './env.ts';
import {lifecycle, probes} from './handlers.ts';
import {containerResources} from './resources.ts';
import {type Errors, oneOf, requiredOneOf, sentences} from './rules.ts';
import {descendingPath} from './volumes.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MOST_ID = 2_147_483_647;
const NOT_FOR_INIT = 'may not be set for init containers without restartPolicy=Always';

/** What containers of a pod are checked against. */
export interface PodPlace {
  readonly spec: PodSpec;
  readonly volumes: ReadonlySet<string>;
}

/** The regular containers. */
export function containers(place: PodPlace, path: FieldPath, errors: Errors): void {
  const list = place.spec.containers ?? [];
  if (list.length === 0) {
    errors.push(required(path));
    return;
  }
  const names = new Set<string>();
  list.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {...place, path: at}, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    lifecycle(container.lifecycle, {path: at.child('lifecycle'), graceSeconds: place.spec.terminationGracePeriodSeconds}, errors);
    probes(container, at, errors);
  });
  hostPorts(list, path, errors);
}

/** The init containers, and those among them that stay as sidecars. */
export function initContainers(place: PodPlace, path: FieldPath, errors: Errors): void {
  const names = new Set((place.spec.containers ?? []).map(({name}) => name));
  place.spec.initContainers?.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {...place, path: at}, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    else if (container.name) names.add(container.name);
    hostPorts([container], path, errors);
    if (isSidecar(container)) {
      lifecycle(
        container.lifecycle,
        {path: at.child('lifecycle'), graceSeconds: place.spec.terminationGracePeriodSeconds},
        errors,
      );
      probes(container, at, errors);
    } else {
      for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[field]) errors.push(forbiddenField(at.child(field), NOT_FOR_INIT));
      }
    }
  });
}

/** What all containers must be. */
export function containerCommon(container: Container, place: PodPlace & {path: FieldPath}, errors: Errors): void {
  const {path, spec} = place;
  if (!container.name) errors.push(required(path.child('name')));
  else sentences(checkLabel(container.name), {path: path.child('name'), value: container.name}, errors);
  image(container.image, path.child('image'), errors);
  const policies = ['File', 'FallbackToLogsOnError'];
  requiredOneOf(container.terminationMessagePolicy, {path: path.child('terminationMessagePolicy'), of: policies}, errors);
  ports(container.ports, path.child('ports'), errors);
  envVars(container.env, path.child('env'), errors);
  envFrom(container.envFrom, path.child('envFrom'), errors);
  volumeMounts(container, place, errors);
  volumeDevices(container, {path: path.child('volumeDevices'), volumes: place.volumes}, errors);
  requiredOneOf(container.imagePullPolicy, {path: path.child('imagePullPolicy'), of: PULL_POLICIES}, errors);
  const claims = (spec.resourceClaims ?? []).map(({name}) => name);
  containerResources(container.resources, {path: path.child('resources'), claims}, errors);
  securityContext(container.securityContext, path.child('securityContext'), errors);
}

function image(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) errors.push(required(path));
  else if (name.trim() !== name) errors.push(invalid(path, name, 'must not have leading or trailing whitespace'));
}

function ports(list: readonly ContainerPort[] | undefined, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  list?.forEach((port, i) => {
    const at = path.index(i);
    if (port.name) {
      const texts = checkPortName(port.name);
      sentences(texts, {path: at.child('name'), value: port.name}, errors);
      if (texts.length === 0 && names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else sentences(checkPortNumber(port.containerPort), {path: at.child('containerPort'), value: port.containerPort}, errors);
    if (port.hostPort) sentences(checkPortNumber(port.hostPort), {path: at.child('hostPort'), value: port.hostPort}, errors);
    requiredOneOf(port.protocol, {path: at.child('protocol'), of: PROTOCOLS}, errors);
  });
}

function hostPorts(list: readonly Container[], path: FieldPath, errors: Errors): void {
  const taken = new Set<string>();
  list.forEach((container, i) => {
    container.ports?.forEach((port, n) => {
      if (!port.hostPort) return;
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) errors.push(duplicate(path.index(i).child('ports').index(n).child('hostPort'), key));
      taken.add(key);
    });
  });
}

function volumeMounts(container: Container, {path, volumes}: PodPlace & {path: FieldPath}, errors: Errors): void {
  const taken = new Set<string>();
  const list = path.child('volumeMounts');
  container.volumeMounts?.forEach((mount, i) => {
    const at = list.index(i);
    if (!mount.name) errors.push(required(at.child('name')));
    if (!volumes.has(mount.name)) errors.push(notFoundValue(at.child('name'), mount.name));
    if (!mount.mountPath) errors.push(required(at.child('mountPath')));
    if (taken.has(mount.mountPath)) errors.push(invalid(at.child('mountPath'), mount.mountPath, 'must be unique'));
    taken.add(mount.mountPath);
    const device = container.volumeDevices?.find(({name}) => name === mount.name);
    if (device) errors.push(invalid(at.child('name'), mount.name, 'must not already exist in volumeDevices'));
    subPaths(mount, list, errors);
  });
}

function subPaths(mount: VolumeMount, path: FieldPath, errors: Errors): void {
  if (mount.subPath) descendingPath(mount.subPath, path.child('subPath'), errors);
  if (!mount.subPathExpr) return;
  if (mount.subPath)
    errors.push(invalid(path.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
  descendingPath(mount.subPathExpr, path.child('subPathExpr'), errors);
}

function volumeDevices(
  {volumeDevices: list, volumeMounts}: Container,
  at: {path: FieldPath; volumes: ReadonlySet<string>},
  errors: Errors,
): void {
  const taken = new Set<string>();
  list?.forEach(({name, devicePath}, i) => {
    const path = at.path.index(i);
    if (!name) errors.push(required(path.child('name')));
    if (!at.volumes.has(name)) errors.push(notFoundValue(path.child('name'), name));
    if (!devicePath) errors.push(required(path.child('devicePath')));
    if (taken.has(devicePath)) errors.push(invalid(path.child('devicePath'), devicePath, 'must be unique'));
    if (volumeMounts?.some(mount => mount.name === name))
      errors.push(invalid(path.child('name'), name, 'must not already exist in volumeMounts'));
    taken.add(devicePath);
  });
}

/** A user's or group's number. */
export function identity(id: number | undefined, path: FieldPath, errors: Errors): void {
  if (id !== undefined && (id < 0 || id > MOST_ID)) errors.push(invalid(path, id, rangeText(0, MOST_ID)));
}

function securityContext(context: SecurityContext | undefined, path: FieldPath, errors: Errors): void {
  if (!context) return;
  identity(context.runAsUser, path.child('runAsUser'), errors);
  identity(context.runAsGroup, path.child('runAsGroup'), errors);
  seccomp(context.seccompProfile, path.child('seccompProfile'), errors);
  if (context.procMount !== undefined)
    oneOf(context.procMount, {path: path.child('procMount'), of: ['Default', 'Unmasked']}, errors);
  if (context.allowPrivilegeEscalation === false && context.privileged === true) {
    errors.push(
      invalid(
        path,
        goStruct('SecurityContext', context),
        'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ),
    );
  }
}

/** Which system calls are allowed. */
export function seccomp(
  profile: {readonly type: string; readonly localhostProfile?: string} | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (!profile) return;
  requiredOneOf(profile.type, {path: path.child('type'), of: ['Localhost', 'RuntimeDefault', 'Unconfined']}, errors);
  const local = profile.type === 'Localhost';
  const file = path.child('localhostProfile');
  if (local && !profile.localhostProfile) errors.push(required(file, 'must be set when seccomp type is Localhost'));
  if (!local && profile.localhostProfile !== undefined) {
    errors.push(invalid(file, profile.localhostProfile, 'can only be set when seccomp type is Localhost'));
  }
}
