// Judges a value by a structural schema, with the server's words. What has not changed since the object was stored is not judged
// again, where old and new can be laid side by side: a schema may become stricter without breaking what is there.
//
// Not modelled: bounds that a numeric format (int32) sets beyond those of its type.
import {invalid, notSupported, required, tooLong, tooMany, type FieldError} from '../meta/field-error.ts';

import {isFields, type Fields} from '../meta/fields.ts';
import {compileRegex} from '../regex/regex.ts';
import {sameJson} from '../schema/merge/index.ts';
import {hasFormat, isKnownFormat} from './formats.ts';
import {isKeyed, itemKey, itemsOf, valuesOf, type Structural} from './structural.ts';

/** How a value is judged. */
export interface Judging {
  /** The path in front of every error: `status` where the status is judged alone. */
  readonly prefix?: string;
  /** What was stored before. */
  readonly old?: unknown;
}

/** All that is wrong with a value. */
export function judge(value: unknown, schema: Structural, {prefix = '', old}: Judging = {}): readonly FieldError[] {
  const errors: FieldError[] = [];
  new Judge(prefix, errors).walk(value, schema, {name: '', old});
  return errors;
}

interface At {
  /** As the sentences call the place: `spec.tags[0]`. */
  readonly name: string;
  readonly old: unknown;
}

class Judge {
  readonly #prefix: string;
  readonly #errors: FieldError[];

  constructor(prefix: string, errors: FieldError[]) {
    this.#prefix = prefix;
    this.#errors = errors;
  }

  walk(value: unknown, schema: Structural, at: At): void {
    if (at.old !== undefined && sameJson(value, at.old)) return;
    if (!this.#type(value, schema, at)) return;
    this.#choices(value, schema, at);
    if (typeof value === 'string') this.#text(value, schema, at);
    else if (typeof value === 'number') this.#number(value, schema, at);
    else if (Array.isArray(value)) this.#list(value, schema, at);
    if (schema.enum && !schema.enum.some(each => sameJson(each, value)) && !(value === null && schema.nullable === true))
      this.#notListed(value, schema.enum, at);
    if (isFields(value)) this.#fields(value, schema, at);
  }

  #place(name: string): string {
    if (this.#prefix === '') return name === '' ? '<nil>' : name;
    if (name === '') return this.#prefix;
    return name.startsWith('[') ? `${this.#prefix}${name}` : `${this.#prefix}.${name}`;
  }

  #say({name}: At, value: unknown, words: string): void {
    this.#errors.push(invalid(this.#place(name), value, `${name} in body ${words}`));
  }

  #wrongType({name}: At, value: string, wanted: string): void {
    this.#errors.push({
      kind: 'TypeInvalid',
      field: this.#place(name),
      value,
      detail: `${name} in body must be of type ${wanted}: ${JSON.stringify(value)}`,
    });
  }

  #type(value: unknown, schema: Structural, at: At): boolean {
    const wanted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type === undefined ? [] : [schema.type];
    if (value === null || value === undefined) {
      if (schema.nullable === true || wanted.length === 0) return schema.nullable !== true;
      this.#wrongType(at, 'null', wanted.join(','));
      return false;
    }
    if (wanted.length === 0) return true;
    const found = typeOf(value);
    if (wanted.includes(found) || (found === 'integer' && wanted.includes('number'))) return true;
    this.#wrongType(at, found, wanted.join(','));
    return false;
  }

  /** Of length and pattern the first that is wrong is told. */
  #text(text: string, schema: Structural, at: At): void {
    const {maxLength, minLength, format} = schema;
    const length = maxLength !== undefined || minLength !== undefined ? [...text].length : 0;
    if (maxLength !== undefined && length > maxLength) this.#errors.push(tooLong(this.#place(at.name), maxLength));
    else if (minLength !== undefined && length < minLength) this.#say(at, text, `should be at least ${minLength} chars long`);
    else if (schema.pattern) this.#pattern(text, schema.pattern, at);
    if (format && isKnownFormat(format) && !hasFormat(text, format)) this.#wrongType(at, text, format);
  }

  #pattern(text: string, pattern: string, at: At): void {
    const regex = compileRegex(pattern);
    if ('error' in regex || !regex.test(text)) this.#say(at, text, `should match '${pattern}'`);
  }

  #number(value: number, schema: Structural, at: At): void {
    const {maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf} = schema;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) this.#say(at, value, `should be a multiple of ${multipleOf}`);
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
      this.#say(at, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
      this.#say(at, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }

  #list(list: readonly unknown[], schema: Structural, at: At): void {
    const items = itemsOf(schema);
    if (items) {
      const olds =
        isKeyed(schema) && Array.isArray(at.old) ? new Map(at.old.map(item => [itemKey(schema, item), item])) : undefined;
      list.forEach((item, i) => {
        this.walk(item, items, {name: `${at.name}[${i}]`, old: olds?.get(itemKey(schema, item))});
      });
    }
    const {minItems, maxItems} = schema;
    if (minItems !== undefined && list.length < minItems) this.#say(at, list.length, `should have at least ${minItems} items`);
    if (maxItems !== undefined && list.length > maxItems) this.#errors.push(tooMany(this.#place(at.name), list.length, maxItems));
  }

  #fields(fields: Fields, schema: Structural, at: At): void {
    const count = Object.keys(fields).length;
    const {minProperties, maxProperties, properties = {}, required: needed = []} = schema;
    if (minProperties !== undefined && count < minProperties)
      this.#say(at, count, `should have at least ${minProperties} properties`);
    if (maxProperties !== undefined && count > maxProperties)
      this.#errors.push(tooMany(this.#place(at.name), count, maxProperties));
    for (const name of needed) if (fields[name] === undefined) this.#errors.push(required(this.#place(below(at.name, name))));
    const values = valuesOf(schema);
    const apart = schema['x-kubernetes-map-type'] === 'atomic';
    for (const [name, value] of Object.entries(fields)) {
      const field = Object.hasOwn(properties, name) ? properties[name] : values === true ? undefined : values;
      const old = !apart && isFields(at.old) && Object.hasOwn(at.old, name) ? at.old[name] : undefined;
      if (field) this.walk(value, field, {name: below(at.name, name), old});
    }
  }

  #notListed(value: unknown, listed: readonly unknown[], {name}: At): void {
    this.#errors.push(
      notSupported(
        this.#place(name),
        value,
        listed.map(each => (typeof each === 'string' ? each : JSON.stringify(each))),
      ),
    );
  }

  /** anyOf, oneOf, allOf, not. */
  #choices(value: unknown, schema: Structural, at: At): void {
    const {anyOf = [], oneOf = [], allOf = [], not} = schema;
    const {name} = at;
    const words = (text: string): void =>
      void this.#errors.push(invalid(this.#place(name), '', `${JSON.stringify(name)} must ${text}`));
    const tried = (branch: Structural): FieldError[] => {
      const found: FieldError[] = [];
      new Judge(this.#prefix, found).walk(value, branch, {name, old: undefined});
      return found;
    };
    if (anyOf.length > 0 && !schema['x-kubernetes-int-or-string']) {
      const results = anyOf.map(tried);
      if (!results.some(each => each.length === 0)) {
        words('validate at least one schema (anyOf)');
        this.#errors.push(...fewest(results));
      }
    }
    if (oneOf.length > 0) {
      const results = oneOf.map(tried);
      const fitting = results.filter(each => each.length === 0).length;
      if (fitting !== 1)
        words(
          `validate one and only one schema (oneOf). Found ${fitting === 0 ? 'none valid' : `${fitting} valid alternatives`}`,
        );
      if (fitting === 0) this.#errors.push(...fewest(results));
    }
    if (allOf.length > 0) {
      const results = allOf.map(tried);
      const fitting = results.filter(each => each.length === 0).length;
      this.#errors.push(...results.flat());
      if (fitting < allOf.length) words(`validate all the schemas (allOf)${fitting === 0 ? '. None validated' : ''}`);
    }
    if (not && tried(not).length === 0) words('not validate the schema (not)');
  }
}

function fewest(results: readonly FieldError[][]): FieldError[] {
  return results.reduce((best, each) => (each.length < best.length ? each : best));
}

function below(name: string, field: string): string {
  return name === '' ? field : `${name}.${field}`;
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Number.isInteger(quotient) || Math.abs(quotient - Math.round(quotient)) < 1e-9;
}
