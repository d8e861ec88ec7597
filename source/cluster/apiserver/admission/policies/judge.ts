// Asks one policy about one request, with one set of parameters: its conditions, then its rules, whose variables are evaluated when a
// rule first names one.
import type {Scope} from '../../../../api/cel/evaluate.ts';
import {type Compiled, type Outcome} from '../../../../api/cel/expression.ts';
import {CelError} from '../../../../api/cel/values.ts';
import type {AnyObject} from '../../../../api/meta/object.ts';
import {scopeOf} from '../scope.ts';
import type {Subject, View} from '../webhooks/subject.ts';
import type {Policy, PolicyRule, Written} from './policies.ts';

/** A rule that does not hold, or that could not be evaluated. */
export interface Denial {
  readonly message: string;
  readonly reason: string;
}

/** What a policy says: nothing, or denials in its order. */
export function judgeBy(
  policy: Policy,
  {subject, view, params}: {subject: Subject; view: View; params: AnyObject | null},
): readonly Denial[] {
  const scope = scopeOf(subject, view, params);
  const held = conditionsHold(policy.conditions, scope);
  if (held === false) return [];
  if (typeof held === 'string') return policy.fails ? [{message: held, reason: 'Invalid'}] : [];
  const full = withVariables(policy, scope);
  const denials = policy.rules.flatMap(rule => judgeRule(rule, policy.fails, full));
  return [...denials, ...(policy.fails ? policy.annotations.flatMap(each => annotationFails(each, full)) : [])];
}

function evaluate(compiled: Compiled, scope: Scope): Outcome {
  return 'error' in compiled ? {error: compiled.error} : compiled.expression.run(scope);
}

function conditionsHold(conditions: readonly Written[], scope: Scope): boolean | string {
  let problem: string | undefined;
  for (const {source, compiled} of conditions) {
    const outcome = evaluate(compiled, scope);
    if ('error' in outcome) problem ??= `expression '${source}' resulted in error: ${outcome.error}`;
    else if (outcome.value !== true) return false;
  }
  return problem ?? true;
}

function judgeRule(
  {source, compiled, message, messageExpression, reason}: PolicyRule,
  fails: boolean,
  scope: Scope,
): readonly Denial[] {
  const outcome = evaluate(compiled, scope);
  if ('error' in outcome)
    return fails ? [{message: `expression '${source}' resulted in error: ${outcome.error}`, reason: 'Invalid'}] : [];
  if (outcome.value === true) return [];
  const made = messageExpression && evaluate(messageExpression, scope);
  const text = made && 'value' in made && typeof made.value === 'string' ? made.value.trim() : '';
  const said = text !== '' && !/[\n\r]/.test(text) ? text : message;
  return [{message: said === '' ? `failed expression: ${source.trim()}` : said, reason}];
}

function annotationFails({source, compiled}: Written, scope: Scope): readonly Denial[] {
  const outcome = evaluate(compiled, scope);
  return 'error' in outcome
    ? [{message: `valueExpression '${source}' resulted in error: ${outcome.error}`, reason: 'Invalid'}]
    : [];
}

/** The scope with the policy's own variables; each is evaluated once, when it is named. */
function withVariables({variables}: Policy, scope: Scope): Scope {
  const full: Record<string, unknown> = {...scope};
  for (const {name, compiled} of variables) {
    let outcome: Outcome | undefined;
    full[`variables.${name}`] = () => {
      outcome ??= evaluate(compiled, full);
      if ('error' in outcome) throw new CelError(`composited variable "${name}" fails to evaluate: ${outcome.error}`);
      return outcome.value;
    };
  }
  full['variables'] = () => Object.fromEntries(variables.map(({name}) => [name, (full[`variables.${name}`] as () => unknown)()]));
  return full;
}
