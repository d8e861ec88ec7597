// The describers, by group and kind. A kind without one is shown plainly.
import type {Describer} from './describer.ts';
import {describePlainly} from './plain.ts';
import {describePod} from './pod.ts';

const DESCRIBERS: ReadonlyMap<string, Describer> = new Map([['/Pod', describePod]]);

/** The describer of a kind. */
export function describerOf(group: string, kind: string): Describer {
  return DESCRIBERS.get(`${group}/${kind}`) ?? describePlainly;
}
