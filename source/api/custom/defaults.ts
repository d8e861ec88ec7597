// Defaults of a structural schema. A null that may not be null counts as missing: its default takes its place, or it goes.
import {deepFreeze} from '../meta/object.ts';
import {isFields, type Fields} from '../meta/fields.ts';
import {fieldOf, itemsOf, type Structural} from './structural.ts';

/** A value with its defaults; the same value where there was nothing to add. */
export function withDefaults(value: unknown, schema: Structural | undefined): unknown {
  if (!schema) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (!items) return value;
    const out = value.map(item =>
      item === null && items.nullable !== true && items.default !== undefined
        ? withDefaults(deepFreeze(items.default), items)
        : withDefaults(item, items),
    );
    return out.every((item, i) => item === value[i]) ? value : out;
  }
  return isFields(value) ? fieldsWithDefaults(value, schema) : value;
}

function fieldsWithDefaults(fields: Fields, schema: Structural): unknown {
  const out: [string, unknown][] = [];
  let changed = false;
  for (const [name, value] of Object.entries(fields)) {
    const field = fieldOf(schema, name);
    if (value === null && field && field.nullable !== true) {
      changed = true;
      continue;
    }
    const next = field ? withDefaults(value, field) : value;
    changed ||= next !== value;
    out.push([name, next]);
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const present = fields[name];
    if (field.default === undefined || (present !== undefined && (present !== null || field.nullable === true))) continue;
    changed = true;
    out.push([name, withDefaults(deepFreeze(field.default), field)]);
  }
  return changed ? Object.fromEntries(out) : fields;
}
