// What selectors of devices see: `device.driver`, `device.attributes` and `device.capacity`, the latter two by the domain and the name of
// what they tell.
import type {Device, DeviceAttribute} from '../kinds/resource-v1.ts';
import {type Compiled, compileExpression} from './expression.ts';
import type {Variables} from './environment.ts';
import {quantityValue, semverValue} from './library/kubernetes.ts';
import {typeNamed} from './signatures.ts';
import {BOOL, objectOf, STRING} from './types.ts';

const DEVICE: Variables = Object.freeze({
  device: objectOf('kubernetes.DRADevice', {
    driver: STRING,
    attributes: typeNamed('map<string, map<string, dyn>>'),
    capacity: typeNamed('map<string, map<string, quantity>>'),
    allowMultipleAllocations: BOOL,
  }),
});

/** Compiles a selector. */
export function compileSelector(source: string): Compiled {
  return compileExpression(source, DEVICE);
}

const values = new WeakMap<Device, unknown>();

/** A device of a driver as selectors see it. */
export function deviceValue(device: Device, driver: string): unknown {
  const known = values.get(device);
  if (known) return known;
  const made = {
    driver,
    attributes: byDomain(driver, device.attributes ?? {}, attributeValue),
    capacity: byDomain(driver, device.capacity ?? {}, ({value}) => quantityValue(String(value))),
    allowMultipleAllocations: device.allowMultipleAllocations ?? false,
  };
  values.set(device, made);
  return made;
}

function attributeValue({bool, int, string, version}: DeviceAttribute): unknown {
  return (
    bool ?? (int === undefined ? undefined : BigInt(int)) ?? string ?? (version === undefined ? undefined : semverValue(version))
  );
}

/** `example.com/model` under its domain, a bare `model` under the driver's. */
function byDomain<T>(
  driver: string,
  fields: Readonly<Record<string, T>>,
  valueOf: (field: T) => unknown,
): Record<string, Record<string, unknown>> {
  const domains: Record<string, Record<string, unknown>> = {[driver]: {}};
  for (const [name, field] of Object.entries(fields)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    (domains[domain] ??= {})[name.slice(slash + 1)] = valueOf(field);
  }
  return domains;
}
