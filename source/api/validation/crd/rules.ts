// The rules in CEL of a schema: that they are whole, that they compile, and that they cannot cost too much, each alone and all
// together. A rule counts as often as the lists around it may be long.
import type {JSONSchemaProps, ValidationRule} from '../../kinds/apiextensions-v1.ts';
import {estimateCost, longest} from '../../cel/cost.ts';
import type {Compiled} from '../../cel/expression.ts';
import {type CompiledRule, rulesOf} from '../../custom/rules.ts';
import {fieldOf, itemsOf, isKeyed, valuesOf} from '../../custom/structural.ts';
import {type FieldPath, forbiddenField, invalid, notSupported, required} from '../../meta/field-error.ts';
import {goStruct} from '../../schema/go-structs.ts';
import type {Errors} from '../rules.ts';

const LIMIT = 10_000_000;
const WHOLE_LIMIT = 100_000_000;
/** What costs less than a hundredth of what all may cost is not named. */
const NOTABLE = WHOLE_LIMIT / 100;
const MOST_NAMED = 3;
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;

/** The form of the rules at one place of a schema. */
export function ruleForms(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  schema['x-kubernetes-validations']?.forEach((rule, i) =>
    oneForm(rule, {schema, path: path.child('x-kubernetes-validations').index(i)}, errors),
  );
}

function oneForm(rule: ValidationRule, {schema, path}: {schema: JSONSchemaProps; path: FieldPath}, errors: Errors): void {
  const {message = '', messageExpression = '', fieldPath = ''} = rule;
  const text = rule.rule.trim();
  if (text === '') errors.push(required(path.child('rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    errors.push(invalid(path.child('message'), message, 'message must be non-empty if specified'));
  else if (LINE_BREAK.test(message.trim()))
    errors.push(invalid(path.child('message'), message, 'message must not contain line breaks'));
  else if (LINE_BREAK.test(text) && message.trim() === '')
    errors.push(required(path.child('message'), 'message must be specified if rule contains line breaks'));
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  if (rule.reason !== undefined && !REASONS.includes(rule.reason))
    errors.push(notSupported(path.child('reason'), rule.reason, REASONS));
  const at = path.child('fieldPath');
  if (fieldPath !== '' && fieldPath.trim() === '')
    errors.push(invalid(at, fieldPath, 'fieldPath must be non-empty if specified'));
  if (LINE_BREAK.test(fieldPath)) errors.push(invalid(at, fieldPath, 'fieldPath must not contain line breaks'));
  else if (fieldPath !== '') {
    const wrong = wrongPath(fieldPath, schema);
    if (wrong !== undefined) errors.push(invalid(at, fieldPath, `fieldPath must be a valid path: ${wrong}`));
  }
}

/** Why a path leads nowhere. */
function wrongPath(text: string, schema: JSONSchemaProps): string | undefined {
  let at: JSONSchemaProps | undefined = schema;
  let rest = text.trim();
  while (rest !== '') {
    const step = /^(?:\.([a-zA-Z_][\w-]*)|\['([^']*)'\])/.exec(rest);
    if (!step)
      return rest.startsWith('.') || rest.startsWith('[')
        ? `expected a field name, but got: ${rest.slice(1, 2)}`
        : `expected [ or . but got: ${/^\w+|./s.exec(rest)?.[0] ?? ''}`;
    const name: string = step[1] ?? step[2] ?? '';
    at = fieldOf(at, name);
    if (!at) return 'does not refer to a valid field';
    rest = rest.slice(step[0].length);
  }
  return undefined;
}

interface Costly {
  readonly path: FieldPath;
  readonly cost: number;
}

/** What all rules of a schema may cost. */
export class RuleCosts {
  #total = 0;
  #named: Costly[] = [];

  add(path: FieldPath, cost: number): void {
    this.#total += cost;
    if (cost < NOTABLE) return;
    this.#named = [...this.#named, {path, cost}].toSorted((a, b) => b.cost - a.cost).slice(0, MOST_NAMED);
  }

  /** What is wrong with the sum. */
  report(path: FieldPath, errors: Errors): void {
    if (this.#total <= WHOLE_LIMIT) return;
    for (const each of this.#named)
      errors.push(
        forbiddenField(each.path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
      );
    errors.push(
      forbiddenField(
        path,
        tooCostly('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', this.#total, WHOLE_LIMIT),
      ),
    );
  }
}

function tooCostly(what: string, cost: number, limit: number): string {
  const excess = cost / limit;
  const factor = excess > 100 ? 'more than 100x' : excess < 1.5 ? `${excess.toFixed(6)}x` : `${excess.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Where rules stand. */
export interface RulesAt {
  readonly path: FieldPath;
  readonly isObject: boolean;
  /** How often the place may occur in one object. */
  readonly times: number;
  /** The list or map inside of which nothing old can be compared with anything new. */
  readonly apart: FieldPath | undefined;
}

/** That the rules at one place compile, and what they cost. */
export function ruleErrors(schema: JSONSchemaProps, at: RulesAt, costs: RuleCosts, errors: Errors): void {
  rulesOf(schema, at.isObject).forEach((rule, i) => {
    oneRule(rule, {schema, at: {...at, path: at.path.child('x-kubernetes-validations').index(i)}, costs}, errors);
  });
}

function oneRule(
  compiled: CompiledRule,
  {schema, at, costs}: {schema: JSONSchemaProps; at: RulesAt; costs: RuleCosts},
  errors: Errors,
): void {
  const {rule, test, message} = compiled;
  const {path, times, apart} = at;
  const place = path.child('rule');
  const shown = goStruct('ValidationRule', rule);
  const cost = costOf(test, schema) * times;
  if (cost > LIMIT) errors.push(forbiddenField(place, tooCostly('estimated rule cost', cost, LIMIT)));
  costs.add(place, cost);
  if ('error' in test) {
    errors.push(invalid(place, shown, `compilation failed: ${test.error}`));
    return;
  }
  if (test.expression.type.kind !== 'bool') {
    errors.push(invalid(place, shown, 'cel expression must evaluate to a bool'));
    return;
  }
  if (message) messageErrors(message, {schema, path: path.child('messageExpression'), shown, times, costs}, errors);
  if (compiled.usesOld && apart)
    errors.push(
      invalid(place, rule.rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${String(apart)}`),
    );
  if (!compiled.usesOld && rule.optionalOldSelf !== undefined)
    errors.push(invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
}

interface MessageAt {
  readonly schema: JSONSchemaProps;
  readonly path: FieldPath;
  readonly shown: unknown;
  readonly times: number;
  readonly costs: RuleCosts;
}

function messageErrors(message: Compiled, {schema, path, shown, times, costs}: MessageAt, errors: Errors): void {
  if ('error' in message) {
    errors.push(invalid(path, shown, `messageExpression compilation failed: ${message.error}`));
    return;
  }
  if (message.expression.type.kind !== 'string') {
    errors.push(invalid(path, shown, 'messageExpression must evaluate to a string'));
    return;
  }
  const cost = costOf(message, schema) * times;
  if (cost > LIMIT) errors.push(forbiddenField(path, tooCostly('estimated messageExpression cost', cost, LIMIT)));
  costs.add(path, cost);
}

function costOf(compiled: Compiled, schema: JSONSchemaProps): number {
  return 'error' in compiled ? 0 : estimateCost(compiled.expression, {self: schema, oldSelf: schema});
}

/** The rules' place one step further inside. */
export function inItems(schema: JSONSchemaProps, at: RulesAt): RulesAt {
  const inside = at.path.child('items');
  return {
    path: inside,
    isObject: itemsOf(schema)?.['x-kubernetes-embedded-resource'] === true,
    times: at.times * longest(schema),
    apart: isKeyed(schema) ? at.apart : (at.apart ?? at.path),
  };
}

/** The same for a field, named or of a map. */
export function inField(field: JSONSchemaProps, parent: JSONSchemaProps, at: RulesAt & {readonly of: FieldPath}): RulesAt {
  const many = valuesOf(parent) === field ? longest(parent) : 1;
  const apart = parent['x-kubernetes-map-type'] === 'atomic' ? (at.apart ?? at.of) : at.apart;
  return {path: at.path, isObject: field['x-kubernetes-embedded-resource'] === true, times: at.times * many, apart};
}
