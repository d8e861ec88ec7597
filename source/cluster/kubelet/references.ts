// ConfigMaps and Secrets that pods refer to. They are fetched when somebody needs them and kept for a moment, since the pods of
// a template ask for the same ones at the same time. (The real kubelet watches each; what it shows with a change in a volume
// within a minute, this one shows by asking again.)
import type {ConfigMap, Secret, Service} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {failedAs, type Client, type Result} from '../../client/client.ts';
import {get, list} from '../../client/verbs.ts';
import {wait, type Task} from '../../sim/task.ts';

const KEPT_MS = 1000;
/** The root certificate is the same in every namespace and for ever. */
const ROOT_KEPT_MS = 600_000;
const ROOT = 'kube-root-ca.crt';

const configMaps = builtin('configmaps');
const secrets = builtin('secrets');
const services = builtin('services');

/** What a ConfigMap or Secret holds, as text, or why it cannot be had. */
export type Referred = {readonly data: ReadonlyMap<string, string>} | {readonly error: string; readonly missing: boolean};

interface Kept {
  readonly until: number;
  readonly value: unknown;
}

/** What a kubelet has fetched. */
export class References {
  readonly #client: Client;
  readonly #kept = new Map<string, Kept>();
  readonly #waiting = new Map<string, ((value: unknown) => void)[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  *configMap(namespace: string, name: string): Task<Referred> {
    const result = yield* this.#fetch<ConfigMap>(
      `configmap ${namespace}/${name}`,
      get(configMaps, {namespace, name}),
      name === ROOT ? ROOT_KEPT_MS : KEPT_MS,
    );
    if (!result.ok) return refused(result, `configmap "${name}" not found`);
    const {data = {}, binaryData = {}} = result.value;
    return {
      data: new Map([...Object.entries(data), ...Object.entries(binaryData).map(([key, text]) => [key, decode(text)] as const)]),
    };
  }

  *secret(namespace: string, name: string): Task<Referred> {
    const result = yield* this.#fetch<Secret>(`secret ${namespace}/${name}`, get(secrets, {namespace, name}), KEPT_MS);
    if (!result.ok) return refused(result, `secret "${name}" not found`);
    return {data: new Map(Object.entries(result.value.data ?? {}).map(([key, text]) => [key, decode(text)]))};
  }

  /** The Services that a pod of the namespace finds in its environment. */
  *services(namespace: string): Task<readonly Service[]> {
    const result = yield* this.#fetch<{readonly items: readonly Service[]}>(
      `services ${namespace}`,
      list(services, {namespace, resourceVersion: '0'}),
      KEPT_MS,
    );
    return result.ok ? result.value.items : [];
  }

  *#fetch<T>(key: string, request: ReturnType<typeof get>, keptMs: number): Task<Result<T>> {
    const {clock} = this.#client.daemon;
    const kept = this.#kept.get(key);
    if (kept && kept.until > clock.now) return kept.value as Result<T>;
    const waiting = this.#waiting.get(key);
    if (waiting) return yield* wait<Result<T>>(wake => waiting.push(value => wake(value as Result<T>)));
    this.#waiting.set(key, []);
    const result = yield* this.#client.ask<T>(request);
    if (this.#kept.size > 1000) this.#kept.clear();
    this.#kept.set(key, {until: clock.now + (result.ok ? keptMs : 0), value: result});
    const others = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const wake of others) wake(result);
    return result;
  }
}

function refused(result: Result<unknown> & {ok: false}, missing: string): Referred {
  if (failedAs(result, 'NotFound')) return {error: missing, missing: true};
  return {error: result.status.message ?? '', missing: false};
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
