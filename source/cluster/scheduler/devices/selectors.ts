// Selectors of devices: expressions in CEL over `device.driver`, `device.attributes` and `device.capacity`, the latter two by the domain
// and the name of what they tell. A device that lacks what is asked for is not selected.
//
// Not modelled: versions (`semver`), and saying of an expression that went wrong why it did.
import {Environment, type ParseResult} from '@marcbachmann/cel-js';
import type {DeviceAttribute, DeviceSelector} from '../../../api/kinds/resource-v1.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import type {PlacedDevice} from './allocate.ts';

/** A quantity as expressions see it. */
class Quantity {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const environment = new Environment({homogeneousAggregateLiterals: false, enableOptionalTypes: true})
  .registerVariable('device', 'dyn')
  .registerType('Quantity', Quantity)
  .registerFunction('quantity(string): Quantity', (text: string) => new Quantity(text))
  .registerFunction('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) => BigInt(compareQuantities(a.text, b.text)))
  .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => compareQuantities(a.text, b.text) > 0)
  .registerFunction('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => compareQuantities(a.text, b.text) < 0);

const REMEMBERED = 500;
const compiled = new Map<string, ParseResult | undefined>();

/** Do all selectors take the device? */
export function selects(selectors: readonly DeviceSelector[], placed: PlacedDevice): boolean {
  return selectors.every(({cel}) => cel === undefined || evaluate(cel.expression, placed));
}

function evaluate(source: string, placed: PlacedDevice): boolean {
  const expression = compile(source);
  if (!expression) return false;
  try {
    return expression({device: deviceValue(placed)}) === true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function compile(source: string): ParseResult | undefined {
  if (compiled.has(source)) return compiled.get(source);
  if (compiled.size >= REMEMBERED) compiled.clear();
  let made: ParseResult | undefined;
  try {
    made = environment.parse(source);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  compiled.set(source, made);
  return made;
}

const values = new WeakMap<PlacedDevice['device'], unknown>();

function deviceValue({device, driver}: PlacedDevice): unknown {
  const known = values.get(device);
  if (known) return known;
  const made = {
    driver,
    attributes: byDomain(driver, device.attributes ?? {}, attributeValue),
    capacity: byDomain(driver, device.capacity ?? {}, ({value}) => new Quantity(String(value))),
  };
  values.set(device, made);
  return made;
}

function attributeValue({bool, int, string, version}: DeviceAttribute): unknown {
  return bool ?? (int === undefined ? undefined : BigInt(int)) ?? string ?? version;
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
