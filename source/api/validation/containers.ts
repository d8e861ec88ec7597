// The containers of a pod: regular ones, init containers, and those that are added to look into it.
import type {Container, ContainerPort, PodSpec, VolumeMount} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notFoundValue, required} from '../meta/field-error.ts';
import {checkLabel, checkPortName, checkPortNumber} from '../meta/names.ts';
import {isSidecar} from '../meta/pod.ts';
import {envFrom, envVars} from './env.ts';
import {lifecycle, probes} from './handlers.ts';
import {descendingPath, hasBackSteps} from './paths.ts';
import {containerResources} from './resources.ts';
import {initRestartPolicy, resizePolicies, restartPolicy} from './restarts.ts';
import {type Errors, oneOf, requiredOneOf, sentences} from './rules.ts';
import {securityContext} from './security-context.ts';
import type {Volumes} from './volumes.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const NOT_FOR_INIT = 'may not be set for init containers without restartPolicy=Always';

/** What containers of a pod are checked against. */
export interface PodPlace {
  readonly spec: PodSpec;
  readonly volumes: Volumes;
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
    restartPolicy(container, at, errors);
  });
  hostPorts(list, path, errors);
}

/** The init containers, and those among them that stay as sidecars. */
export function initContainers(place: PodPlace, path: FieldPath, errors: Errors): void {
  const names = new Set((place.spec.containers ?? []).map(({name}) => name));
  place.spec.initContainers?.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {...place, path: at}, errors);
    initRestartPolicy(container, at, errors);
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
  if (!container.image) errors.push(required(path.child('image')));
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
  resizePolicies(container, {path: path.child('resizePolicy'), podPolicy: spec.restartPolicy}, errors);
  securityContext(container.securityContext, {path: path.child('securityContext'), hostUsers: spec.hostUsers !== false}, errors);
}

/** Only a pod of its own must name its image without spaces around it. */
export function trimmedImage({image = ''}: Container, path: FieldPath, errors: Errors): void {
  if (image.trim() !== image) errors.push(invalid(path.child('image'), image, 'must not have leading or trailing whitespace'));
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
  const devices = new Set(container.volumeDevices?.map(({name}) => name));
  const devicePaths = new Set(container.volumeDevices?.map(({devicePath}) => devicePath));
  container.volumeMounts?.forEach((mount, i) => {
    const at = list.index(i);
    const {name, mountPath} = mount;
    if (!name) errors.push(required(at.child('name')));
    if (!volumes.has(name)) errors.push(notFoundValue(at.child('name'), name));
    if (!mountPath) errors.push(required(at.child('mountPath')));
    if (taken.has(mountPath)) errors.push(invalid(at.child('mountPath'), mountPath, 'must be unique'));
    taken.add(mountPath);
    if (devices.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    subPaths(mount, {list, at}, errors);
    propagation(mount, {path: list, privileged: container.securityContext?.privileged === true}, errors);
  });
}

/** The server names the list of mounts where it means one of them. */
function subPaths(mount: VolumeMount, {list, at}: {list: FieldPath; at: FieldPath}, errors: Errors): void {
  if (mount.subPath) descendingPath(mount.subPath, list.child('subPath'), errors);
  if (!mount.subPathExpr) return;
  if (mount.subPath)
    errors.push(invalid(at.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
  descendingPath(mount.subPathExpr, list.child('subPathExpr'), errors);
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

/** Who sees what is mounted below a mount later, and whether that is read-only as well. */
function propagation(mount: VolumeMount, at: {path: FieldPath; privileged: boolean}, errors: Errors): void {
  const {mountPropagation: how, recursiveReadOnly: recursive} = mount;
  const path = at.path.child('mountPropagation');
  if (how !== undefined) {
    oneOf(how, {path, of: PROPAGATIONS}, errors);
    if (how === 'Bidirectional' && !at.privileged)
      errors.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  if (recursive === undefined || recursive === 'Disabled') return;
  const field = at.path.child('recursiveReadOnly');
  if (!RECURSIVE.includes(recursive)) {
    oneOf(recursive, {path: field, of: RECURSIVE}, errors);
    return;
  }
  if (!mount.readOnly) errors.push(forbiddenField(field, 'may only be specified when readOnly is true'));
  if (how !== undefined && how !== 'None')
    errors.push(forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'));
}

function volumeDevices(
  {volumeDevices: list, volumeMounts: mounts = []}: Container,
  at: {path: FieldPath; volumes: Volumes},
  errors: Errors,
): void {
  const taken = {names: new Set<string>(), paths: new Set<string>()};
  const mounted = new Set(mounts.map(mount => mount.name));
  const mountPaths = new Set(mounts.map(({mountPath}) => mountPath));
  list?.forEach(({name, devicePath}, i) => {
    const path = at.path.index(i);
    const volume = at.volumes.get(name);
    const wrong = (field: string, value: string, text: string) => errors.push(invalid(path.child(field), value, text));
    if (!name) errors.push(required(path.child('name')));
    if (taken.names.has(name)) wrong('name', name, 'must be unique');
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral)
      wrong('name', name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if (!volume) errors.push(notFoundValue(path.child('name'), name));
    if (!devicePath) errors.push(required(path.child('devicePath')));
    if (taken.paths.has(devicePath)) wrong('devicePath', devicePath, 'must be unique');
    if (hasBackSteps(devicePath)) wrong('devicePath', devicePath, "can not contain backsteps ('..')");
    else taken.paths.add(devicePath);
    if (mounted.has(name)) wrong('name', name, 'must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) wrong('devicePath', devicePath, 'must not already exist as a path in volumeMounts');
    if (name) taken.names.add(name);
  });
}
