// The row of an IngressClass.
import type {IngressClass} from '../kinds/networking-v1.ts';
import {age, type Cell, NONE} from './cells.ts';

/** Name, Controller, Parameters, Age. */
export function ingressClassRow(ingressClass: IngressClass, nowMs: number): readonly Cell[] {
  const parameters = ingressClass.spec?.parameters;
  const text = parameters
    ? `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`
    : NONE;
  return [ingressClass.metadata.name, ingressClass.spec?.controller ?? '', text, age(ingressClass, nowMs)];
}
