// The row of an IPAddress.
import type {IPAddress} from '../kinds/networking-v1.ts';
import {type Cell, NONE} from './cells.ts';

/** Name, ParentRef. */
export function ipAddressRow(address: IPAddress): readonly Cell[] {
  const parent = address.spec?.parentRef;
  if (!parent) return [address.metadata.name, NONE];
  const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource;
  return [address.metadata.name, [resource, parent.namespace, parent.name].filter(Boolean).join('/').toLowerCase()];
}
