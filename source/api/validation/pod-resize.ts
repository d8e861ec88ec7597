// What may change in a pod that runs, through its resize: CPU and memory of its containers, as long as its class of service stays.
import type {Container, Pod} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, root} from '../meta/field-error.ts';
import {isSidecar} from '../meta/pod.ts';
import {qosClass} from '../meta/pod-resources.ts';
import {compareQuantities} from '../meta/quantity.ts';
import {sameJson} from '../schema/merge/index.ts';
import {MIRROR} from './pod-annotations.ts';
import {wholePodSpec} from './pods.ts';
import type {Errors} from './rules.ts';

const RESIZED = new Set(['cpu', 'memory']);
const LISTS = ['containers', 'initContainers'] as const;

/** A pod whose containers shall have other resources. */
export function validatePodResize(pod: Pod, before: Pod, errors: Errors): void {
  const path = root('spec');
  wholePodSpec(pod, path, errors);
  const never = neverResized(pod, before);
  if (never !== undefined) {
    errors.length = 0;
    errors.push(forbiddenField('', never));
    return;
  }
  const was = before.status?.qosClass ?? qosClass(before.spec);
  if (was !== qosClass(pod.spec)) errors.push(invalid(path, was, 'Pod QOS Class may not change as a result of resizing'));
  const running = before.status?.containerStatuses?.find(({state}) => state?.running);
  if (running && !running.resources) errors.push(forbiddenField(path, 'Pod running on node without support for resize'));
  if (otherContainers(pod, before, {path, errors})) return;
  for (const list of [...LISTS].toReversed()) {
    pod.spec[list]?.forEach((container, i) => {
      const old = before.spec[list]?.[i];
      if (old && (list === 'containers' || isSidecar(old)))
        removed(container, old, {path: path.child(list).index(i).child('resources'), errors});
    });
  }
  const other = (container: Container, old: Container) => !sameJson(withoutResized(container), withoutResized(old));
  for (const list of LISTS)
    pod.spec[list]?.forEach((container, i) => {
      const old = before.spec[list]?.[i];
      const init = list === 'initContainers';
      if (!old) return;
      if (init && !isSidecar(container)) {
        if (anyChanged([container], [old]))
          errors.push(forbiddenField(path, 'resources for non-sidecar init containers are immutable'));
      } else if (other(container, old)) {
        errors.push(forbiddenField(path, `only cpu and memory resources ${init ? 'for sidecar containers ' : ''}are mutable`));
      }
    });
}

/** Why a pod is never resized. */
function neverResized(pod: Pod, before: Pod): string | undefined {
  const whole = ({spec}: Pod) => Object.keys({...spec.resources?.limits, ...spec.resources?.requests}).length > 0;
  if (whole(pod) || whole(before)) return 'pods with pod-level resources cannot be resized';
  if (before.metadata.annotations?.[MIRROR] !== undefined) return 'static pods cannot be resized';
  return before.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** A resize leaves the containers as they are, and in their order. */
function otherContainers(pod: Pod, before: Pod, {path, errors}: {path: FieldPath; errors: Errors}): boolean {
  const count = errors.length;
  for (const list of LISTS) {
    const at = path.child(list);
    const [now = [], old = []] = [pod.spec[list], before.spec[list]];
    if (now.length !== old.length) errors.push(forbiddenField(at, `${list} may not be added or removed on resize`));
    else
      old.forEach(({name}, i) => {
        if (now[i]?.name !== name)
          errors.push(forbiddenField(at.index(i).child('name'), `${list} may not be renamed or reordered on resize`));
      });
  }
  return errors.length > count;
}

/** An amount may change, not go away. */
function removed(container: Container, old: Container, {path, errors}: {path: FieldPath; errors: Errors}): void {
  for (const list of ['requests', 'limits'] as const) {
    const now = container.resources?.[list] ?? {};
    const gone = Object.keys(old.resources?.[list] ?? {}).some(name => now[name] === undefined);
    if (gone) errors.push(forbiddenField(path.child(list), `resource ${list} cannot be removed`));
  }
}

type Containers = readonly Container[] | undefined;

function anyChanged(list: Containers, old: Containers): boolean {
  return (list ?? []).some((container, i) =>
    (['limits', 'requests'] as const).some(kind => !sameAmounts(container.resources?.[kind], old?.[i]?.resources?.[kind])),
  );
}

type List = Readonly<Record<string, string | number>> | undefined;

function sameAmounts(now: List, before: List): boolean {
  const names = new Set([...Object.keys(now ?? {}), ...Object.keys(before ?? {})]);
  return [...names].every(name => {
    const [a, b] = [now?.[name], before?.[name]];
    return a !== undefined && b !== undefined && compareQuantities(a, b) === 0;
  });
}

function withoutResized({resources}: Container): object {
  const rest = (list: List) => Object.fromEntries(Object.entries(list ?? {}).filter(([name]) => !RESIZED.has(name)));
  return {claims: resources?.claims ?? [], limits: rest(resources?.limits), requests: rest(resources?.requests)};
}
