// Numbers that may be written as a share.
import type {IntOrString} from '../../api/kinds/meta.ts';

/** An absolute number, or a percentage of `total`; none is 0. */
export function scaled(value: IntOrString | undefined, total: number, roundUp: boolean): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const part = (Number.parseInt(value, 10) * total) / 100;
  return roundUp ? Math.ceil(part) : Math.floor(part);
}
