// Selectors of devices: expressions in CEL. One that goes wrong over a device (which lacks what is asked for, say) is told of by its
// number.
import {compileSelector, deviceValue} from '../../../api/cel/device.ts';
import type {DeviceSelector} from '../../../api/kinds/resource-v1.ts';
import type {PlacedDevice} from './allocate.ts';

/** Do all selectors take the device? A text says which one went wrong, and how. */
export function selects(selectors: readonly DeviceSelector[], placed: PlacedDevice): boolean | string {
  for (const [n, {cel}] of selectors.entries()) {
    const verdict = cel === undefined || takes(cel.expression, placed);
    if (typeof verdict === 'string') return `selector #${n}: ${verdict}`;
    if (!verdict) return false;
  }
  return true;
}

function takes(source: string, {device, driver}: PlacedDevice): boolean | string {
  const compiled = compileSelector(source);
  if ('error' in compiled) return `CEL compile error: ${compiled.error}`;
  const outcome = compiled.expression.run({device: deviceValue(device, driver)});
  return 'value' in outcome ? outcome.value === true : `CEL runtime error: ${outcome.error}`;
}
