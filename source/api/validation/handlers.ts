// Probes and lifecycle hooks: what they do, and how often.
import type {HTTPGetAction, Lifecycle, LifecycleHandler, Probe} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required} from '../meta/field-error.ts';
import {checkHeaderName} from '../meta/names.ts';
import {type Errors, notNegative, portNumberOrName, sentences} from './rules.ts';

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;

/** The probes of a container that has some. */
export function probes(
  container: {readonly livenessProbe?: Probe; readonly readinessProbe?: Probe; readonly startupProbe?: Probe},
  path: FieldPath,
  errors: Errors,
): void {
  onlyOneSuccess(container.livenessProbe, path.child('livenessProbe'), errors);
  const ready = container.readinessProbe;
  if (ready) {
    const at = path.child('readinessProbe');
    probe(ready, at, errors);
    const grace = ready.terminationGracePeriodSeconds;
    if (grace !== undefined)
      errors.push(invalid(at.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes'));
  }
  onlyOneSuccess(container.startupProbe, path.child('startupProbe'), errors);
}

function onlyOneSuccess(one: Probe | undefined, path: FieldPath, errors: Errors): void {
  if (!one) return;
  probe(one, path, errors);
  const threshold = one.successThreshold ?? 0;
  if (threshold !== 1) errors.push(invalid(path.child('successThreshold'), threshold, 'must be 1'));
}

function probe(one: Probe, path: FieldPath, errors: Errors): void {
  handler(one, {path, graceSeconds: undefined}, errors);
  notNegative(one.initialDelaySeconds, path.child('initialDelaySeconds'), errors);
  notNegative(one.timeoutSeconds, path.child('timeoutSeconds'), errors);
  notNegative(one.periodSeconds, path.child('periodSeconds'), errors);
  notNegative(one.successThreshold, path.child('successThreshold'), errors);
  notNegative(one.failureThreshold, path.child('failureThreshold'), errors);
  const grace = one.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(invalid(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
}

/** The hooks of a container. */
export function lifecycle(
  hooks: Lifecycle | undefined,
  at: {path: FieldPath; graceSeconds: number | undefined},
  errors: Errors,
): void {
  if (hooks?.postStart) handler(hooks.postStart, {...at, path: at.path.child('postStart')}, errors);
  if (hooks?.preStop) handler(hooks.preStop, {...at, path: at.path.child('preStop')}, errors);
}

const KINDS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function handler(one: Handler, {path, graceSeconds}: {path: FieldPath; graceSeconds: number | undefined}, errors: Errors): void {
  const given = KINDS.filter(kind => one[kind] !== undefined);
  const [first, ...more] = given;
  if (first === undefined) errors.push(required(path, 'must specify a handler type'));
  else action(one, {kind: first, path: path.child(first), graceSeconds}, errors);
  for (const kind of more) errors.push(forbiddenField(path.child(kind), 'may not specify more than 1 handler type'));
}

function action(
  one: Handler,
  at: {kind: (typeof KINDS)[number]; path: FieldPath; graceSeconds: number | undefined},
  errors: Errors,
): void {
  const {path, graceSeconds} = at;
  if (at.kind === 'exec' && (one.exec?.command?.length ?? 0) === 0) errors.push(required(path.child('command')));
  if (at.kind === 'httpGet' && one.httpGet) httpGet(one.httpGet, path, errors);
  if (at.kind === 'tcpSocket') portNumberOrName(one.tcpSocket?.port, path.child('port'), errors);
  if (at.kind === 'grpc') portNumberOrName(one.grpc?.port, path.child('port'), errors);
  if (at.kind !== 'sleep' || graceSeconds === undefined) return;
  const seconds = one.sleep?.seconds ?? 0;
  if (seconds >= 0 && seconds <= graceSeconds) return;
  errors.push(invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`));
}

function httpGet(get: HTTPGetAction, path: FieldPath, errors: Errors): void {
  if (!get.path) errors.push(required(path.child('path')));
  portNumberOrName(get.port, path.child('port'), errors);
  if (get.scheme !== 'HTTP' && get.scheme !== 'HTTPS')
    errors.push(notSupported(path.child('scheme'), get.scheme ?? '', ['HTTP', 'HTTPS']));
  for (const header of get.httpHeaders ?? [])
    sentences(checkHeaderName(header.name), {path: path.child('httpHeaders'), value: header.name}, errors);
}
