// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface APIService {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: APIServiceSpec;
  readonly status?: APIServiceStatus;
}
export interface APIServiceCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface APIServiceList {
  readonly apiVersion: string;
  readonly items: readonly APIService[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface APIServiceSpec {
  readonly caBundle?: string;
  readonly group?: string;
  readonly groupPriorityMinimum: number;
  readonly insecureSkipTLSVerify?: boolean;
  readonly service?: ServiceReference;
  readonly version?: string;
  readonly versionPriority: number;
}
export interface APIServiceStatus {
  readonly conditions?: readonly APIServiceCondition[];
}
export interface ServiceReference {
  readonly name?: string;
  readonly namespace?: string;
  readonly port?: number;
}
