// What may change in a pod that runs, through its resize: CPU and memory of its containers, as long as its class of service stays.
import type {Container, Pod} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, root} from '../meta/field-error.ts';
import {isSidecar, qosClass} from '../meta/pod.ts';
import {compareQuantities} from '../meta/quantity.ts';
import {sameJson} from '../schema/merge/index.ts';
import {podSpec} from './pods.ts';
import type {Errors} from './rules.ts';

const RESIZED = new Set(['cpu', 'memory']);
const LISTS = ['containers', 'initContainers'] as const;

/** A pod whose containers shall have other resources. */
export function validatePodResize(pod: Pod, before: Pod, errors: Errors): void {
  const path = root('spec');
  podSpec(pod.spec, path, errors);
  const was = before.status?.qosClass ?? qosClass(before.spec);
  if (was !== qosClass(pod.spec)) errors.push(invalid(path, was, 'Pod QOS Class may not change as a result of resizing'));
  for (const list of LISTS) {
    pod.spec[list]?.forEach((container, i) => {
      const old = before.spec[list]?.[i];
      if (old) removed(container, old, {path: path.child(list).index(i).child('resources'), errors});
    });
  }
  if (anyChanged(pod.spec.initContainers, before.spec.initContainers, container => !isSidecar(container))) {
    errors.push(forbiddenField(path, 'resources for non-sidecar init containers are immutable'));
  }
  const other = (container: Container, old: Container) => !sameJson(withoutResized(container), withoutResized(old));
  if (LISTS.some(list => pod.spec[list]?.some((container, i) => other(container, before.spec[list]?.[i] ?? container)))) {
    errors.push(forbiddenField(path, 'only cpu and memory resources are mutable'));
  }
}

/** An amount may change, not go away. */
function removed(container: Container, old: Container, {path, errors}: {path: FieldPath; errors: Errors}): void {
  for (const list of ['requests', 'limits'] as const) {
    const gone = Object.keys(old.resources?.[list] ?? {}).some(
      name => RESIZED.has(name) && container.resources?.[list]?.[name] === undefined,
    );
    if (gone) errors.push(forbiddenField(path.child(list), `resource ${list} cannot be removed`));
  }
}

type Containers = readonly Container[] | undefined;

function anyChanged(list: Containers, old: Containers, which: (container: Container) => boolean): boolean {
  return (list ?? []).some((container, i) => {
    const before = old?.[i];
    if (!before || !which(container)) return false;
    return (['limits', 'requests'] as const).some(kind => !sameAmounts(container.resources?.[kind], before.resources?.[kind]));
  });
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
