// What large requests are made of.

/** A kind of request. */
export interface LargeRequest {
  readonly name: string;
  readonly method: string;
  /** `#` stands for the number of the body. */
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  /** It is sent whatever is asked for, as others need it. */
  readonly needed?: boolean;
  readonly bodies: () => readonly string[];
}

export const MAPS = '/api/v1/namespaces/default/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';
export const YAML = 'application/yaml';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const KEYS = 60_000;
export const MANY = 10_000;

export function mapOf<T>(count: number, value: (n: number) => T, key = (n: number) => `k${n}`): Record<string, T> {
  return Object.fromEntries(Array.from({length: count}, (_, n) => [key(n), value(n)]));
}

export function listOf<T>(count: number, item: (n: number) => T): T[] {
  return Array.from({length: count}, (_, n) => item(n));
}

export const one = (body: unknown) => () => [typeof body === 'string' ? body : JSON.stringify(body)];

export const configMap = (name: string, data: unknown, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name},
  data,
  ...more,
});

export const pod = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, ...metadata},
  spec: {containers: [{name: 'a', image: 'a'}], ...spec},
});

export const container = (n: number) => ({
  name: `c${n}`,
  image: 'nginx:1.27',
  ports: [{containerPort: 80}],
  env: [{name: 'A', value: 'b'}],
});

export function yamlMap(name: string, count: number): string {
  const lines = listOf(count, n => `  key-${n}: value-${n}`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${lines.join('\n')}\n`;
}
