// ConfigMaps and Secrets that pods refer to. They are fetched when somebody needs them and kept for a moment, since the pods of
// a template ask for the same ones at the same time. (The real kubelet watches each; what it shows with a change in a volume
// within a minute, this one shows by asking again.)
import type {ConfigMap, Secret, Service} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Request} from '../../api/wire/http.ts';
import {failedAs, type Client, type Result} from '../../client/client.ts';
import {get, list} from '../../client/verbs.ts';
import {wait, type Task} from '../../sim/task.ts';

const KEPT_MS = 1000;
/** The root certificate is the same in every namespace and for ever. */
const ROOT_KEPT_MS = 600_000;
const ROOT = 'kube-root-ca.crt';
const MOST_KEPT = 1000;

const configMaps = builtin('configmaps');
const secrets = builtin('secrets');
const services = builtin('services');

/** What a ConfigMap or Secret holds, as text: one map for all who ask. */
export type Data = ReadonlyMap<string, string>;
/** Its data, or why it cannot be had. */
export type Referred = {readonly data: Data} | {readonly error: string; readonly missing: boolean};

interface Wanted<T, V> {
  readonly key: string;
  readonly request: Request;
  readonly keptMs: number;
  readonly read: (result: Result<T>) => V;
}

/** What a kubelet has fetched. */
export class References {
  readonly #client: Client;
  readonly #kept = new Map<string, {readonly until: number; readonly value: unknown}>();
  readonly #waiting = new Map<string, ((value: unknown) => void)[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  configMap(namespace: string, name: string): Task<Referred> {
    return this.#fetch<ConfigMap, Referred>({
      key: `configmap ${namespace}/${name}`,
      request: get(configMaps, {namespace, name}),
      keptMs: name === ROOT ? ROOT_KEPT_MS : KEPT_MS,
      read: result => (result.ok ? {data: dataOf(result.value)} : refused(result, `configmap "${name}" not found`)),
    });
  }

  secret(namespace: string, name: string): Task<Referred> {
    return this.#fetch<Secret, Referred>({
      key: `secret ${namespace}/${name}`,
      request: get(secrets, {namespace, name}),
      keptMs: KEPT_MS,
      read: result => (result.ok ? {data: decoded(result.value.data)} : refused(result, `secret "${name}" not found`)),
    });
  }

  /** The Services that a pod of the namespace finds in its environment. */
  services(namespace: string): Task<readonly Service[]> {
    return this.#fetch<{readonly items: readonly Service[]}, readonly Service[]>({
      key: `services ${namespace}`,
      request: list(services, {namespace, resourceVersion: '0'}),
      keptMs: KEPT_MS,
      read: result => (result.ok ? result.value.items : []),
    });
  }

  /** What is kept, without a request; undefined when it would take one. */
  keptConfigMap(namespace: string, name: string): Referred | undefined {
    const kept = this.#kept.get(`configmap ${namespace}/${name}`);
    return kept && kept.until > this.#client.daemon.clock.now ? (kept.value as Referred) : undefined;
  }

  *#fetch<T, V>({key, request, keptMs, read}: Wanted<T, V>): Task<V> {
    const {clock} = this.#client.daemon;
    const kept = this.#kept.get(key);
    if (kept && kept.until > clock.now) return kept.value as V;
    const waiting = this.#waiting.get(key);
    if (waiting) return yield* wait<V>(wake => waiting.push(value => wake(value as V)));
    this.#waiting.set(key, []);
    const result = yield* this.#client.ask<T>(request);
    const value = read(result);
    if (this.#kept.size > MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, {until: clock.now + (result.ok ? keptMs : 0), value});
    const others = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const wake of others) wake(value);
    return value;
  }
}

function dataOf({data = {}, binaryData = {}}: ConfigMap): Data {
  return new Map([...Object.entries(data), ...decoded(binaryData)]);
}

function decoded(data: Readonly<Record<string, string>> = {}): Data {
  return new Map(Object.entries(data).map(([key, base64]) => [key, Buffer.from(base64, 'base64').toString('utf8')]));
}

function refused(result: Result<unknown> & {ok: false}, missing: string): Referred {
  if (failedAs(result, 'NotFound')) return {error: missing, missing: true};
  return {error: result.status.message ?? '', missing: false};
}
