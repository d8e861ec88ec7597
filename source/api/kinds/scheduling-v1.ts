// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface PriorityClass {
  readonly apiVersion: string;
  readonly description?: string;
  readonly globalDefault?: boolean;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly preemptionPolicy?: "Never" | "PreemptLowerPriority";
  readonly value: number;
}
export interface PriorityClassList {
  readonly apiVersion: string;
  readonly items: readonly PriorityClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
