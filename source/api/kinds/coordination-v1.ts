// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface Lease {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: LeaseSpec;
}
export interface LeaseList {
  readonly apiVersion: string;
  readonly items: readonly Lease[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface LeaseSpec {
  readonly acquireTime?: meta.MicroTime;
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly preferredHolder?: string;
  readonly renewTime?: meta.MicroTime;
  readonly strategy?: string;
}
