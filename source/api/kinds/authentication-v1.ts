// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface BoundObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}
export interface SelfSubjectReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly status?: SelfSubjectReviewStatus;
}
export interface SelfSubjectReviewStatus {
  readonly userInfo?: UserInfo;
}
export interface TokenRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: TokenRequestSpec;
  readonly status?: TokenRequestStatus;
}
export interface TokenRequestSpec {
  readonly audiences: readonly string[];
  readonly boundObjectRef?: BoundObjectReference;
  readonly expirationSeconds?: number;
}
export interface TokenRequestStatus {
  readonly expirationTimestamp: meta.Time;
  readonly token: string;
}
export interface TokenReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: TokenReviewSpec;
  readonly status?: TokenReviewStatus;
}
export interface TokenReviewSpec {
  readonly audiences?: readonly string[];
  readonly token?: string;
}
export interface TokenReviewStatus {
  readonly audiences?: readonly string[];
  readonly authenticated?: boolean;
  readonly error?: string;
  readonly user?: UserInfo;
}
export interface UserInfo {
  readonly extra?: {readonly [key: string]: readonly string[]};
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly username?: string;
}
