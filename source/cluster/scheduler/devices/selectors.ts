// Selectors of devices: expressions in CEL. A device that lacks what is asked for is not selected.
//
// Not modelled: saying of an expression that went wrong why it did.
import {compileSelector, deviceValue} from '../../../api/cel/device.ts';
import type {DeviceSelector} from '../../../api/kinds/resource-v1.ts';
import type {PlacedDevice} from './allocate.ts';

/** Do all selectors take the device? */
export function selects(selectors: readonly DeviceSelector[], placed: PlacedDevice): boolean {
  return selectors.every(({cel}) => cel === undefined || takes(cel.expression, placed));
}

function takes(source: string, {device, driver}: PlacedDevice): boolean {
  const compiled = compileSelector(source);
  if ('error' in compiled) return false;
  const outcome = compiled.expression.run({device: deviceValue(device, driver)});
  return 'value' in outcome && outcome.value === true;
}
