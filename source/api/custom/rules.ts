// The rules in CEL that stand in a structural schema (`x-kubernetes-validations`): what they see, and what they say of a value. A rule
// that speaks of `oldSelf` judges changes, and is not asked where there is nothing to compare with; one that does not is not asked
// again about what has not changed.
import type {ValidationRule} from '../kinds/apiextensions-v1.ts';
import {compileExpression, type Compiled, type Expression, namesIn} from '../cel/expression.ts';
import type {Variables} from '../cel/environment.ts';
import {schemaValue} from '../cel/convert.ts';
import {structuralType} from '../cel/schema-types.ts';
import {optionalOf} from '../cel/types.ts';
import {NOTHING, Optional} from '../cel/values.ts';
import {type FieldError, type FieldErrorKind, OMITTED} from '../meta/field-error.ts';
import {isFields} from '../meta/fields.ts';
import {sameJson} from '../schema/merge/index.ts';
import {fieldOf, isKeyed, itemKey, itemsOf, type Structural, valuesOf} from './structural.ts';

/** A rule, ready to be asked. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly test: Compiled;
  readonly message: Compiled | undefined;
  readonly usesOld: boolean;
}

const variables = new WeakMap<Structural, {readonly plain: Variables; readonly optional: Variables}>();
const compiled = new WeakMap<Structural, readonly CompiledRule[]>();

function variablesOf(schema: Structural, isObject: boolean): {readonly plain: Variables; readonly optional: Variables} {
  const known = variables.get(schema);
  if (known) return known;
  const self = structuralType(schema, 'object', isObject);
  const made = {plain: {self, oldSelf: self}, optional: {self, oldSelf: optionalOf(self)}};
  variables.set(schema, made);
  return made;
}

/** The rules that stand at a schema's top. */
export function rulesOf(schema: Structural, isObject: boolean): readonly CompiledRule[] {
  const known = compiled.get(schema);
  if (known) return known;
  const {plain, optional} = variablesOf(schema, isObject);
  const made = (schema['x-kubernetes-validations'] ?? []).map((rule): CompiledRule => {
    const seen = rule.optionalOldSelf ? optional : plain;
    const test = compileExpression(rule.rule.trim(), seen);
    const message = rule.messageExpression?.trim() ? compileExpression(rule.messageExpression.trim(), seen) : undefined;
    return {rule, test, message, usesOld: 'expression' in test && namesIn(test.expression.node).has('oldSelf')};
  });
  compiled.set(schema, made);
  return made;
}

const ruled = new WeakMap<Structural, boolean>();

/** Is there any rule in a schema? */
export function hasRules(schema: Structural): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const values = valuesOf(schema);
  const parts = [...Object.values(schema.properties ?? {}), itemsOf(schema), values === true ? undefined : values];
  const made = (schema['x-kubernetes-validations']?.length ?? 0) > 0 || parts.some(part => part !== undefined && hasRules(part));
  ruled.set(schema, made);
  return made;
}

/** Where a value stands, and what stood there before. */
export interface RuleAt {
  readonly path: string;
  readonly isObject: boolean;
  readonly old: unknown;
}

/** What the rules of a schema say of a value. */
export function judgeRules(value: unknown, schema: Structural | undefined, at: RuleAt): readonly FieldError[] {
  if (!schema || value === undefined || value === null || !hasRules(schema)) return [];
  const {isObject, old} = at;
  const own = rulesOf(schema, isObject || schema['x-kubernetes-embedded-resource'] === true).flatMap(rule =>
    ask(rule, {value, schema, at}),
  );
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    const olds = isKeyed(schema) && Array.isArray(old) ? new Map(old.map(item => [itemKey(schema, item), item])) : undefined;
    return [
      ...own,
      ...value.flatMap((item, i) =>
        judgeRules(item, items, {path: `${at.path}[${i}]`, isObject: false, old: olds?.get(itemKey(schema, item))}),
      ),
    ];
  }
  if (!isFields(value)) return own;
  const apart = schema['x-kubernetes-map-type'] === 'atomic';
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const named = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const path = named ? joinPath(at.path, name) : `${at.path}[${name}]`;
    const before = !apart && isFields(old) && Object.hasOwn(old, name) ? old[name] : undefined;
    return judgeRules(part, fieldOf(schema, name), {path, isObject: false, old: before});
  });
  return [...own, ...fields];
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

interface Subject {
  readonly value: unknown;
  readonly schema: Structural;
  readonly at: RuleAt;
}

function ask({rule, test, message, usesOld}: CompiledRule, {value, schema, at}: Subject): readonly FieldError[] {
  if ('error' in test) return [];
  const hasOld = at.old !== undefined && at.old !== null;
  if (usesOld && !hasOld && !rule.optionalOldSelf) return [];
  if (!usesOld && hasOld && sameJson(value, at.old)) return [];
  const isObject = at.isObject || schema['x-kubernetes-embedded-resource'] === true;
  const old = hasOld ? schemaValue(at.old, schema, isObject) : null;
  const oldSelf = rule.optionalOldSelf ? (hasOld ? new Optional(true, old) : NOTHING) : old;
  const scope = {self: schemaValue(value, schema, isObject), oldSelf};
  const outcome = test.expression.run(scope);
  const path = pathOf(rule, at.path);
  if ('error' in outcome) return [failed(rule, outcome.error, {path, type: schema.type ?? ''})];
  if (outcome.value === true) return [];
  const shown = typeof value === 'object' ? OMITTED : value;
  return [{kind: KINDS[rule.reason ?? ''] ?? 'Invalid', field: path, value: shown, detail: words(rule, message, scope)}];
}

const KINDS: Readonly<Record<string, FieldErrorKind>> = {
  FieldValueRequired: 'Required',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate',
};

function pathOf({fieldPath}: ValidationRule, path: string): string {
  if (!fieldPath) return path === '' ? '<nil>' : path;
  const below = fieldPath.trim().replaceAll(/\['([^']*)'\]/g, '[$1]');
  return path === '' ? below.replace(/^\./, '') : `${path}${below}`;
}

function words(
  {rule, message}: ValidationRule,
  expression: Compiled | undefined,
  scope: Readonly<Record<string, unknown>>,
): string {
  const made = expression && 'expression' in expression ? textOf(expression.expression, scope) : undefined;
  return made ?? (message?.trim() ? message.trim() : `failed rule: ${rule.trim()}`);
}

/** The text that a message expression makes; none when it fails, is empty, or has line breaks. */
function textOf(expression: Expression, scope: Readonly<Record<string, unknown>>): string | undefined {
  const outcome = expression.run(scope);
  if ('error' in outcome || typeof outcome.value !== 'string') return undefined;
  const text = outcome.value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}

function failed({rule, message}: ValidationRule, error: string, {path, type}: {path: string; type: string}): FieldError {
  const named = message?.trim() ? message.trim() : rule.trim();
  const detail = error.startsWith('no such overload')
    ? `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`
    : error.startsWith('operation cancelled')
      ? `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${named}`
      : `${error} evaluating rule: ${named}`;
  return {kind: 'Invalid', field: path, value: type, detail};
}
