// Priority: a pod names a class, and gets the class's number; nobody writes the number himself. One class may be the default.
import type {PriorityClass} from '../../../api/kinds/scheduling-v1.ts';
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {forbidden} from '../../../api/meta/status.ts';
import type {Core} from '../core.ts';
import {refuse} from '../http/refused.ts';
import type {Plugin} from './plugin.ts';
import {forbid, specOf, withSpec} from './pod-object.ts';
import {SpecMemory} from './remember.ts';

const PREEMPTS = 'PreemptLowerPriority';
const memory = new SpecMemory<PodSpec>();

interface Computed {
  readonly name: string;
  readonly value: number;
  readonly policy: NonNullable<PodSpec['preemptionPolicy']>;
}

export const priority: Plugin = {
  name: 'Priority',
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate(object, attributes) {
    const spec = specOf(object);
    if (attributes.operation === 'UPDATE') return kept(object, attributes.old);
    const computed = compute(attributes.write.core, spec.priorityClassName ?? '');
    if (!computed) return forbid(attributes, object, `no PriorityClass with name ${spec.priorityClassName} was found`);
    if (spec.priority !== undefined && spec.priority !== computed.value) {
      return forbid(
        attributes,
        object,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed.value} from the given PriorityClass name`,
      );
    }
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== computed.policy) {
      return forbid(
        attributes,
        object,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${computed.policy} from the given PriorityClass name`,
      );
    }
    const {name, value, policy} = computed;
    return withSpec(
      object,
      memory.of(spec, `${name} ${value} ${policy}`, () => ({
        ...spec,
        ...(name === '' ? {} : {priorityClassName: name}),
        priority: value,
        preemptionPolicy: policy,
      })),
    );
  },
};

/** Who replaces a pod need not repeat what was computed for it. */
function kept(object: AnyObject, old: AnyObject | undefined): AnyObject {
  const spec = specOf(object);
  const {priority: number, preemptionPolicy: policy} = old ? specOf(old) : {};
  const withNumber = spec.priority === undefined && number !== undefined ? {priority: number} : undefined;
  const withPolicy = spec.preemptionPolicy === undefined && policy !== undefined ? {preemptionPolicy: policy} : undefined;
  return withNumber || withPolicy ? withSpec(object, {...spec, ...withNumber, ...withPolicy}) : object;
}

/** There is one default class at most. */
export const singleDefaultClass: Plugin = {
  name: 'Priority',
  resources: ['priorityclasses.scheduling.k8s.io'],
  operations: ['CREATE', 'UPDATE'],
  validate({write, object}) {
    const own = object as PriorityClass | undefined;
    if (!own?.globalDefault) return undefined;
    const other = defaultClass(write.core);
    if (!other || other.metadata.name === own.metadata.name) return undefined;
    return refuse(
      forbidden(
        write.served.facts,
        own.metadata.name,
        `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
      ),
    );
  },
};

/** The classes of the system itself stay. */
export const systemClasses: Plugin = {
  name: 'Priority',
  resources: ['priorityclasses.scheduling.k8s.io'],
  operations: ['DELETE'],
  validate({write, old}) {
    if (!old || !SYSTEM_CLASSES.has(old.metadata.name)) return undefined;
    return refuse(forbidden(write.served.facts, old.metadata.name, 'this is a system priority class and cannot be deleted'));
  },
};

const SYSTEM_CLASSES = new Set(['system-cluster-critical', 'system-node-critical']);

function compute(core: Core, name: string): Computed | undefined {
  const {cache} = core.resources.of('priorityclasses', 'scheduling.k8s.io');
  const chosen = name === '' ? defaultClass(core) : (cache.get(name) as PriorityClass | undefined);
  if (chosen) return {name: chosen.metadata.name, value: chosen.value, policy: chosen.preemptionPolicy ?? PREEMPTS};
  return name === '' ? {name: '', value: 0, policy: PREEMPTS} : undefined;
}

function defaultClass(core: Core): PriorityClass | undefined {
  const {cache} = core.resources.of('priorityclasses', 'scheduling.k8s.io');
  let found: PriorityClass | undefined;
  for (const object of cache.objects()) {
    const each = object as unknown as PriorityClass;
    // Should there be several after all, the lowest counts.
    if (each.globalDefault && (!found || each.value < found.value)) found = each;
  }
  return found;
}
