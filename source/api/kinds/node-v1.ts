// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface Overhead {
  readonly podFixed?: {readonly [key: string]: meta.Quantity};
}
export interface RuntimeClass {
  readonly apiVersion: string;
  readonly handler: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly overhead?: Overhead;
  readonly scheduling?: Scheduling;
}
export interface RuntimeClassList {
  readonly apiVersion: string;
  readonly items: readonly RuntimeClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface Scheduling {
  readonly nodeSelector?: {readonly [key: string]: string};
  readonly tolerations?: readonly coreV1.Toleration[];
}
