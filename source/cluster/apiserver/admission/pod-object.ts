// Pods as the plugins handle them.
import type {Pod, PodSpec} from '../../../api/kinds/core-v1.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {forbidden} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import {SpecMemory} from './remember.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** The spec of a pod. */
export function specOf(object: AnyObject): PodSpec {
  return (object as unknown as Pod).spec ?? ({containers: []} as PodSpec);
}

/** The pod with another spec; the same pod when it is the same spec. */
export function withSpec(object: AnyObject, spec: PodSpec): AnyObject {
  return object.spec === spec ? object : {...object, spec: deepFreeze(spec)};
}

/** A plugin's way with pods that depends on nothing but their spec. */
export function changingSpec(change: (spec: PodSpec) => PodSpec): (object: AnyObject) => AnyObject {
  const memory = new SpecMemory<PodSpec>();
  return object => {
    const spec = specOf(object);
    return withSpec(
      object,
      memory.of(spec, '', () => change(spec)),
    );
  };
}

/** Is it the copy of a static pod? */
export function isMirror(object: AnyObject): boolean {
  return object.metadata.annotations?.[MIRROR] !== undefined;
}

/** The name that refusals print: what a generated name begins with, as long as it has none. */
export function shownName(object: AnyObject): string {
  return object.metadata.name || (object.metadata.generateName ?? '');
}

/** Refuses an object with a reason. */
export function forbid({write}: Attributes, object: AnyObject, why: string): Refused {
  return refuse(forbidden(write.served.facts, shownName(object), why));
}
