// The environment of a container: what its spec names, what ConfigMaps and Secrets hold, what the pod knows of itself, and the
// Services of its namespace. `$(NAME)` is expanded from what stands before; `$$(NAME)` is the text `$(NAME)`.
import type {Container, EnvVar, EphemeralContainer, FileKeySelector, Pod, Service} from '../../../api/kinds/core-v1.ts';
import type {Task} from '../../../sim/task.ts';
import {fieldText, resourceText, type FieldFacts} from './fields.ts';
import type {Referred, References} from '../references.ts';

export interface EnvironmentFacts extends FieldFacts {
  readonly references: References;
  /** The text of a file in a volume of the pod. */
  readonly fileIn?: (volume: string, path: string) => string | undefined;
  /** Leave out the Services: nobody reads them. */
  readonly withoutServices: boolean;
}

export type Environment = {readonly values: ReadonlyMap<string, string>} | {readonly error: string};

/** The environment of one who names nothing. */
export const EMPTY: ReadonlyMap<string, string> = new Map<string, string>();

/** Has the container anything in its environment, but for Services? */
export function hasEnvironment({env, envFrom}: Container | EphemeralContainer): boolean {
  return (env?.length ?? 0) > 0 || (envFrom?.length ?? 0) > 0;
}

/** Builds the environment, or says what is missing. */
export function* environmentOf(pod: Pod, container: Container, facts: EnvironmentFacts): Task<Environment> {
  const {env = [], envFrom = []} = container;
  const {references} = facts;
  const namespace = pod.metadata.namespace ?? 'default';
  const values = new Map<string, string>();
  for (const {prefix = '', configMapRef, secretRef} of envFrom) {
    const ref = configMapRef ?? secretRef;
    if (!ref?.name) continue;
    const found: Referred = configMapRef
      ? yield* references.configMap(namespace, ref.name)
      : yield* references.secret(namespace, ref.name);
    if ('error' in found) {
      if (found.missing && ref.optional) continue;
      return {error: found.error};
    }
    for (const [key, value] of found.data) values.set(prefix + key, value);
  }
  const services = facts.withoutServices ? new Map<string, string>() : yield* serviceVariables(pod, references);
  const lookup = (name: string) => values.get(name) ?? services.get(name);
  for (const variable of env) {
    const value = yield* valueOf(pod, container, {variable, facts, namespace, lookup});
    if (typeof value === 'object') return value;
    if (value !== undefined) values.set(variable.name, value);
  }
  for (const [name, value] of services) if (!values.has(name)) values.set(name, value);
  return {values};
}

interface Wanted {
  readonly variable: EnvVar;
  readonly facts: EnvironmentFacts;
  readonly namespace: string;
  readonly lookup: (name: string) => string | undefined;
}

function* valueOf(
  pod: Pod,
  container: Container,
  {variable, facts, namespace, lookup}: Wanted,
): Task<string | undefined | {readonly error: string}> {
  const {value = '', valueFrom} = variable;
  if (!valueFrom) return expand(value, lookup);
  const {configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef, fileKeyRef} = valueFrom;
  if (fileKeyRef) return fromFile(fileKeyRef, facts);
  if (fieldRef) return fieldText(pod, fieldRef.fieldPath, facts) ?? {error: `unsupported fieldPath: ${fieldRef.fieldPath}`};
  if (resourceFieldRef) {
    const named = resourceFieldRef.containerName;
    const of = named ? [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(each => each.name === named) : container;
    return of ? resourceText(of, resourceFieldRef, facts) : {error: `container ${named} not found`};
  }
  const ref = configMapKeyRef ?? secretKeyRef;
  if (!ref?.name) return undefined;
  const found: Referred = configMapKeyRef
    ? yield* facts.references.configMap(namespace, ref.name)
    : yield* facts.references.secret(namespace, ref.name);
  if ('error' in found) return found.missing && ref.optional ? undefined : {error: found.error};
  const text = found.data.get(ref.key);
  if (text !== undefined) return text;
  if (ref.optional) return undefined;
  return {error: `couldn't find key ${ref.key} in ${configMapKeyRef ? 'ConfigMap' : 'Secret'} ${namespace}/${ref.name}`};
}

/** The value of a key in a file of `KEY=value` lines. */
function fromFile(
  {volumeName, path, key, optional}: FileKeySelector,
  {fileIn}: EnvironmentFacts,
): string | undefined | {readonly error: string} {
  const text = fileIn?.(volumeName, path);
  const found = text === undefined ? undefined : variableIn(text, key);
  if (found !== undefined || optional) return found;
  return {
    error:
      text === undefined
        ? "couldn't parse env file"
        : `environment variable key ${JSON.stringify(key)} not found in file ${JSON.stringify(path)}`,
  };
}

/** As such files are written: comments, spaces around, quotes of either kind; the last line with the key counts. */
export function variableIn(text: string, key: string): string | undefined {
  let found: string | undefined;
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === key) found = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  }
  return found;
}

/** Replaces `$(NAME)`; one that is not known stays as it is. */
export function expand(text: string, lookup: (name: string) => string | undefined): string {
  if (!text.includes('$')) return text;
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) =>
    whole === '$$' ? '$' : (lookup(name ?? '') ?? whole),
  );
}

/** Expands what is already known in a command line. */
export function expandAll(
  words: readonly string[] | undefined,
  values: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  return words?.some(word => word.includes('$')) ? words.map(word => expand(word, name => values.get(name))) : words;
}

/** What a pod finds of Services; with a time, only of those that were there then. */
export function* serviceVariables(pod: Pod, references: References, before = Infinity): Task<Map<string, string>> {
  const namespace = pod.metadata.namespace ?? 'default';
  const variables = new Map<string, string>();
  const own = pod.spec.enableServiceLinks === false ? [] : yield* references.services(namespace);
  const kubernetes =
    namespace === 'default' && own.length > 0
      ? []
      : (yield* references.services('default')).filter(service => service.metadata.name === 'kubernetes');
  for (const service of [...kubernetes, ...own])
    if (before === Infinity || Date.parse(service.metadata.creationTimestamp ?? '') <= before) addService(variables, service);
  return variables;
}

/** The variables of one Service, as links between containers once had them. */
function addService(variables: Map<string, string>, service: Service): void {
  const {clusterIP, ports = []} = service.spec ?? {};
  if (!clusterIP || clusterIP === 'None') return;
  const name = service.metadata.name.toUpperCase().replaceAll('-', '_');
  const [first] = ports;
  if (!first) return;
  variables.set(`${name}_SERVICE_HOST`, clusterIP);
  variables.set(`${name}_SERVICE_PORT`, String(first.port));
  for (const port of ports)
    if (port.name) variables.set(`${name}_SERVICE_PORT_${port.name.toUpperCase().replaceAll('-', '_')}`, String(port.port));
  for (const [at, port] of ports.entries()) {
    const protocol = (port.protocol ?? 'TCP').toLowerCase();
    const url = `${protocol}://${clusterIP}:${port.port}`;
    const prefix = `${name}_PORT_${port.port}_${protocol.toUpperCase()}`;
    if (at === 0) variables.set(`${name}_PORT`, url);
    variables.set(prefix, url);
    variables.set(`${prefix}_PROTO`, protocol);
    variables.set(`${prefix}_PORT`, String(port.port));
    variables.set(`${prefix}_ADDR`, clusterIP);
  }
}
