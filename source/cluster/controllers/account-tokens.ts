// The service accounts that controllers work as. An account that is missing is made; a token is asked for, and renewed when four
// fifths of its time are over.
import type {ServiceAccount} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {parseTime} from '../../api/meta/time.ts';
import type {Client} from '../../client/client.ts';
import {create, get} from '../../client/verbs.ts';
import {all, sleep, type Task} from '../../sim/task.ts';

const accounts = builtin('serviceaccounts');
const NAMESPACE = 'kube-system';
const EXPIRATION_SECONDS = 3600;
const RENEW_AT = 0.8;
const RETRY_MS = 1000;

interface TokenRequest {
  readonly status?: {readonly token?: string; readonly expirationTimestamp?: string};
}

/** Tokens by account. */
export class AccountTokens {
  readonly #client: Client;
  readonly #tokens = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The token of an account. */
  of(account: string): string | undefined {
    return this.#tokens.get(account);
  }

  /** Gets tokens for all, trying until it has them, and calls `ready` then. From then on they are kept fresh. */
  get(names: readonly string[], ready: () => void): void {
    const {scope} = this.#client.daemon;
    scope.run(all(names.map(name => this.#first(name))), () => ready());
  }

  *#first(account: string): Task {
    const {scope} = this.#client.daemon;
    const validMs = yield* this.#obtain(account);
    scope.after(validMs * RENEW_AT, () => scope.run(this.#first(account)));
  }

  /** Asks until there is a token; gives the time for which it holds. */
  *#obtain(account: string): Task<number> {
    for (;;) {
      const validMs = yield* this.#ask(account);
      if (validMs !== undefined) return validMs;
      yield* sleep(RETRY_MS);
    }
  }

  *#ask(account: string): Task<number | undefined> {
    const client = this.#client;
    const place = {namespace: NAMESPACE, name: account};
    const found = yield* client.ask<ServiceAccount>(get(accounts, place));
    if (!found.ok) {
      if (found.status.code !== 404) return undefined;
      const made = yield* client.ask(create(accounts, {apiVersion: 'v1', kind: 'ServiceAccount', metadata: place} as Created));
      if (!made.ok && made.status.reason !== 'AlreadyExists') return undefined;
    }
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: place,
      spec: {audiences: [], expirationSeconds: EXPIRATION_SECONDS},
    };
    const answer = yield* client.ask<TokenRequest>(create(accounts, request, {...place, subresource: 'token'}));
    if (!answer.ok || !answer.value.status?.token) return undefined;
    this.#tokens.set(account, answer.value.status.token);
    const until = parseTime(answer.value.status.expirationTimestamp);
    return until === undefined ? EXPIRATION_SECONDS * 1000 : Math.max(RETRY_MS, until - client.daemon.wall());
  }
}

interface Created {
  readonly metadata: {readonly namespace: string};
}
