// Service account tokens: three parts of base64 between dots, as JSON Web Tokens have. The claims are what a real server writes.
// The signature is an HMAC-like digest under a key made from the cluster's seed (HS256, where a real cluster signs with RSA):
// it is deterministic, and nobody without the key can make one. A token holds as long as the clock says so and its account,
// and the object that it is bound to, are there with the uids that it names; that is looked up at each use, so a token dies with
// its pod. A token that was read once is remembered.
import type {AnyObject} from '../../../api/meta/object.ts';
import {sha256} from '../../../api/meta/hash.ts';
import {ISSUER} from '../settings.ts';
import {bootstrapUser} from './bootstrap-token.ts';
import {makeUser, serviceAccountGroups, type User} from './user.ts';

/** What a token is bound to beside its account. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Node' | 'Secret';
  readonly name: string;
  readonly uid: string;
}

/** What a token says. */
export interface Claims {
  readonly audiences: readonly string[];
  readonly expiresAt: number;
  readonly issuedAt: number;
  readonly id: string;
  readonly namespace: string;
  readonly account: {readonly name: string; readonly uid: string};
  readonly bound?: BoundObject;
  /** From when on its use is worth a warning, in seconds. */
  readonly warnAfter?: number;
  /** The node of the pod that it is bound to. */
  readonly node?: {readonly name: string; readonly uid: string};
}

/** Finds the objects that tokens refer to: accounts, pods, secrets, nodes. */
export type FindObject = (resource: string, key: string) => AnyObject | undefined;

interface Known {
  readonly claims: Claims;
  readonly user: User;
}

const HEADER = base64({alg: 'HS256', kid: 'service-account'});
const MOST_KNOWN = 50_000;

/** Issues and checks tokens. */
export class Tokens {
  readonly #key: string;
  readonly #find: FindObject;
  readonly #known = new Map<string, Known>();

  constructor(seed: string, find: FindObject) {
    this.#key = sha256(`service account tokens ${seed}`);
    this.#find = find;
  }

  /** Writes a token. */
  issue(claims: Claims): string {
    const {bound, node} = claims;
    const body = base64({
      aud: claims.audiences,
      exp: claims.expiresAt,
      iat: claims.issuedAt,
      iss: ISSUER,
      jti: claims.id,
      'kubernetes.io': {
        namespace: claims.namespace,
        ...(node && bound?.kind !== 'Node' ? {node} : {}),
        ...(bound ? {[bound.kind.toLowerCase()]: {name: bound.name, uid: bound.uid}} : {}),
        serviceaccount: claims.account,
        ...(claims.warnAfter === undefined ? {} : {warnafter: claims.warnAfter}),
      },
      nbf: claims.issuedAt,
      sub: `system:serviceaccount:${claims.namespace}:${claims.account.name}`,
    });
    const text = `${HEADER}.${body}`;
    return `${text}.${this.#sign(text)}`;
  }

  /** Who a token stands for, for an audience; or why it counts for nothing. */
  check(
    token: string,
    audiences: readonly string[],
    nowMs: number,
  ): {user: User; audiences: readonly string[]} | {error: string} {
    const known = this.#known.get(token) ?? this.#read(token);
    if (!known) {
      const joining = bootstrapUser(token, this.#find, nowMs);
      return joining ? {user: joining, audiences} : {error: 'invalid bearer token'};
    }
    const {claims, user} = known;
    const now = Math.floor(nowMs / 1000);
    if (now >= claims.expiresAt || now < claims.issuedAt)
      return {error: '[invalid bearer token, service account token has expired]'};
    const common = claims.audiences.filter(audience => audiences.includes(audience));
    if (common.length === 0) {
      return {
        error: `[invalid bearer token, token audiences ${JSON.stringify(claims.audiences)} is invalid for the target audiences ${JSON.stringify(audiences)}]`,
      };
    }
    const problem = this.#problem(claims);
    return problem === undefined ? {user, audiences: common} : {error: `[invalid bearer token, ${problem}]`};
  }

  #read(token: string): Known | undefined {
    const parts = token.split('.');
    const [header = '', body = '', signature = ''] = parts;
    if (parts.length !== 3 || header !== HEADER || signature !== this.#sign(`${header}.${body}`)) return undefined;
    const claims = claimsOf(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as RawClaims);
    const known = {claims, user: userOf(claims)};
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(token, known);
    return known;
  }

  #problem(claims: Claims): string | undefined {
    const {namespace, account, bound} = claims;
    const found = this.#find('serviceaccounts', `${namespace}/${account.name}`);
    if (!found || found.metadata.deletionTimestamp !== undefined) return 'service account token has been invalidated';
    if (found.metadata.uid !== account.uid)
      return `service account UID (${found.metadata.uid}) does not match claim (${account.uid})`;
    if (!bound) return undefined;
    const holder = this.#find(`${bound.kind.toLowerCase()}s`, bound.kind === 'Node' ? bound.name : `${namespace}/${bound.name}`);
    return holder?.metadata.uid === bound.uid ? undefined : 'service account token has been invalidated';
  }

  #sign(text: string): string {
    const inner = sha256(`${this.#key} inner ${text}`);
    return Buffer.from(sha256(`${this.#key} outer ${inner}`), 'hex').toString('base64url');
  }
}

interface RawClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
  readonly 'kubernetes.io': Readonly<Record<'serviceaccount', {name: string; uid: string}>> &
    Partial<Record<'pod' | 'node' | 'secret', {name: string; uid: string}>> & {
      readonly namespace: string;
      readonly warnafter?: number;
    };
}

function claimsOf(raw: RawClaims): Claims {
  const own = raw['kubernetes.io'];
  const kind = own.pod ? 'Pod' : own.secret ? 'Secret' : own.node ? 'Node' : undefined;
  const holder = own.pod ?? own.secret ?? own.node;
  return {
    audiences: raw.aud,
    expiresAt: raw.exp,
    issuedAt: raw.iat,
    id: raw.jti,
    namespace: own.namespace,
    account: own.serviceaccount,
    ...(own.warnafter === undefined ? {} : {warnAfter: own.warnafter}),
    ...(kind && holder ? {bound: {kind, ...holder}} : {}),
    ...(own.node ? {node: own.node} : {}),
  };
}

function userOf(claims: Claims): User {
  const {namespace, account, bound, node} = claims;
  const extra: Record<string, readonly string[]> = {'authentication.kubernetes.io/credential-id': [`JTI=${claims.id}`]};
  if (node) {
    extra['authentication.kubernetes.io/node-name'] = [node.name];
    extra['authentication.kubernetes.io/node-uid'] = [node.uid];
  }
  if (bound?.kind === 'Pod') {
    extra['authentication.kubernetes.io/pod-name'] = [bound.name];
    extra['authentication.kubernetes.io/pod-uid'] = [bound.uid];
  }
  return makeUser({
    name: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
    extra,
  });
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}
