// What controllers may write as the status of an object: counts that are not negative, and that no other count passes.
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, root} from '../meta/field-error.ts';
import {type Errors, notNegative} from './rules.ts';

interface Counts {
  /** None of them is negative. */
  readonly counted: readonly string[];
  /** None of them is above the other, which a sentence names. */
  readonly within?: readonly {readonly field: string; readonly of: string; readonly named: string}[];
  /** A count that never falls. */
  readonly grows?: string;
}

const below = (of: string, named: string, fields: readonly string[]) => fields.map(field => ({field, of, named}));

const REPLICAS = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];
const SET: Counts = {
  counted: REPLICAS,
  within: [
    ...below('replicas', 'status.replicas', ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    ...below('readyReplicas', 'readyReplicas', ['availableReplicas']),
  ],
};

/** By `resource` or `group/resource`. */
const STATUSES: Readonly<Record<string, Counts>> = {
  replicationcontrollers: SET,
  'apps/replicasets': SET,
  'apps/deployments': {
    counted: [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
    ],
    within: [
      ...below('replicas', 'status.replicas', ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
      ...below('readyReplicas', 'readyReplicas', ['availableReplicas']),
    ],
    grows: 'collisionCount',
  },
  'apps/statefulsets': {
    counted: [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    within: [
      ...below('replicas', 'status.replicas', ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']),
      ...below('readyReplicas', 'status.readyReplicas', ['availableReplicas']),
    ],
    grows: 'collisionCount',
  },
  'apps/daemonsets': {
    counted: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    grows: 'collisionCount',
  },
  'autoscaling/horizontalpodautoscalers': {counted: ['currentReplicas', 'desiredReplicas']},
  'policy/poddisruptionbudgets': {counted: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']},
};

type Status = Readonly<Record<string, unknown>> | undefined;

/** What is wrong with the counts in a status. */
export function statusCounts(kind: string, {now, before}: {now: Status; before: Status}, errors: Errors): void {
  const rules = STATUSES[kind];
  if (!rules) return;
  const path = root('status');
  const of = (status: Status, field: string) => (typeof status?.[field] === 'number' ? status[field] : 0);
  for (const field of rules.counted) notNegative(of(now, field), path.child(field), errors);
  for (const {field, of: other, named} of rules.within ?? [])
    if (of(now, field) > of(now, other)) passed(of(now, field), {path: path.child(field), named}, errors);
  const {grows} = rules;
  if (grows !== undefined && of(now, grows) < of(before, grows))
    errors.push(invalid(path.child(grows), of(now, grows), 'cannot be decremented'));
}

function passed(value: number, {path, named}: {path: FieldPath; named: string}, errors: Errors): void {
  errors.push(invalid(path, value, `cannot be greater than ${named}`));
}
