// When a container starts anew: its own policy, the rules for its exit codes, and what a resize of it means.
import type {Container, PodSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, tooLong} from '../meta/field-error.ts';
import type {Errors} from './rules.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const OPERATORS = ['In', 'NotIn'];
const MOST_RULES = 20;
const MOST_CODES = 255;
const RESIZED = ['cpu', 'memory'];
const AFTER_RESIZE = ['NotRequired', 'RestartContainer'];

/** The policy and the rules of a container. */
export function restartPolicy(
  {restartPolicy: policy, restartPolicyRules: rules = []}: Container,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('restartPolicy');
  if (policy === undefined && rules.length === 0) return;
  if (policy === undefined) errors.push(required(at, 'must specify restartPolicy when restart rules are used'));
  else if (!POLICIES.includes(policy)) errors.push(notSupported(at, policy, POLICIES));
  const list = path.child('restartPolicyRules');
  if (rules.length > MOST_RULES) errors.push(tooLong(list, MOST_RULES));
  rules.forEach(({action, exitCodes}, i) => {
    if (action !== 'Restart') errors.push(notSupported(list.index(i).child('action'), action ?? '', ['Restart']));
    const codes = list.index(i).child('exitCodes');
    if (!exitCodes) {
      errors.push(required(codes, 'must be specified'));
      return;
    }
    const {operator, values = []} = exitCodes;
    if (!OPERATORS.includes(operator)) errors.push(notSupported(codes.child('operator'), operator ?? '', OPERATORS));
    if (values.length > MOST_CODES) errors.push(tooLong(codes.child('values'), MOST_CODES));
  });
}

/** Those of an init container: one that is always started anew is a sidecar, which has no rules. */
export function initRestartPolicy(container: Container, path: FieldPath, errors: Errors): void {
  if (container.restartPolicy === undefined) return;
  if (container.restartPolicy !== 'Always') restartPolicy(container, path, errors);
  else if ((container.restartPolicyRules?.length ?? 0) > 0) {
    const text = 'restartPolicyRules are not allowed for init containers with restart policy Always';
    errors.push(forbiddenField(path.child('restartPolicyRules'), text));
  }
}

/** What happens to a container when an amount of its resources changes. */
export function resizePolicies(
  {resizePolicy}: Container,
  {path, podPolicy}: {path: FieldPath; podPolicy: PodSpec['restartPolicy']},
  errors: Errors,
): void {
  const seen = new Set<string>();
  resizePolicy?.forEach(({resourceName, restartPolicy: policy}, i) => {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(i), resourceName));
    seen.add(resourceName);
    word(resourceName, RESIZED, {path, errors});
    word(policy, AFTER_RESIZE, {path, errors});
    if (podPolicy === 'Never' && policy !== 'NotRequired')
      errors.push(invalid(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
  });
}

function word(value: string | undefined, of: readonly string[], {path, errors}: {path: FieldPath; errors: Errors}): void {
  if (!value) errors.push(required(path));
  else if (!of.includes(value)) errors.push(notSupported(path, value, of));
}
