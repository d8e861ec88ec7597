// `kubectl set env --list`: the variables of containers, and with `--resolve` what their references stand for.
import type {Container, EnvVar} from '../../../api/kinds/core-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {fail, Failure, gather} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {targetsOf} from './change.ts';
import {fitsPattern, podSpecOf} from './templates.ts';

/** Lists the variables of all containers that are meant. */
export async function listAll(session: Session, resources: readonly string[]): Promise<Outcome> {
  const selected = await targetsOf(session, resources);
  if (selected instanceof Failure) return selected;
  if (selected.failures.length > 0) return gather(selected.failures);
  for (const {kind, name, object} of selected.found) {
    const spec = object && podSpecOf(object);
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].filter(container =>
      fitsPattern(session.flags.text('containers'), container.name),
    );
    if (spec && containers.length === 0) await warnUnmatched(session, `${kind.kind}/${name}`);
    for (const container of containers) {
      await session.out(`# ${kind.kind} ${name}, container ${container.name}\n`);
      await listOne(session, object as AnyObject, container);
    }
  }
  return undefined;
}

/** No container of the object is meant. */
export async function warnUnmatched(session: Session, what: string): Promise<void> {
  const pattern = JSON.stringify(session.flags.text('containers'));
  await session.err(`Warning: ${what} does not have any containers matching ${pattern}\n`);
}

async function listOne(session: Session, object: AnyObject, container: Container): Promise<void> {
  const unknown = new Map<string, string[]>();
  for (const variable of container.env ?? []) {
    const {name, value, valueFrom} = variable;
    if (!valueFrom || !session.flags.on('resolve')) {
      await session.out(valueFrom ? referenceText(variable) : `${name}=${value ?? ''}\n`);
      continue;
    }
    const resolved = await resolve(session, object, valueFrom);
    await session.out(resolved instanceof Failure ? referenceText(variable) : `${name}=${resolved}\n`);
    if (resolved instanceof Failure) unknown.set(resolved.message, [...(unknown.get(resolved.message) ?? []), name]);
  }
  const lines = [...unknown].map(([why, names]) => `error retrieving reference for ${names.toSorted().join(', ')}: ${why}\n`);
  await session.err(lines.toSorted().join(''));
}

function referenceText({name, valueFrom = {}}: EnvVar): string {
  const {fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef} = valueFrom;
  if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}\n`;
  if (resourceFieldRef) return `# ${name} from resource field ${resourceFieldRef.resource}\n`;
  if (secretKeyRef) return `# ${name} from secret ${secretKeyRef.name ?? ''}, key ${secretKeyRef.key}\n`;
  if (configMapKeyRef) return `# ${name} from configmap ${configMapKeyRef.name ?? ''}, key ${configMapKeyRef.key}\n`;
  return `# ${name} invalid valueFrom\n`;
}

/** What a reference stands for now. */
async function resolve(
  session: Session,
  object: AnyObject,
  {secretKeyRef, configMapKeyRef, fieldRef}: NonNullable<EnvVar['valueFrom']>,
): Promise<string | Failure> {
  if (fieldRef) return fieldOf(object, fieldRef.fieldPath);
  const reference = secretKeyRef ?? configMapKeyRef;
  if (!reference) return fail('invalid valueFrom');
  const namespace = session.namespace();
  const api = session.api();
  if (namespace instanceof Failure) return namespace;
  if (api instanceof Failure) return api;
  const {name = '', key} = reference;
  const source = await api.ask<AnyObject>({
    method: 'GET',
    path: pathOf(builtin(secretKeyRef ? 'secrets' : 'configmaps'), namespace, name),
  });
  if (source instanceof Failure) return source;
  const value = (source['data'] as Readonly<Record<string, string>> | undefined)?.[key];
  if (value === undefined) return fail(`key ${key} not found in ${secretKeyRef ? 'secret' : 'config map'} ${name}`);
  return secretKeyRef ? Buffer.from(value, 'base64').toString('utf8') : value;
}

/** The fields of an object that a reference may name. */
function fieldOf({metadata}: AnyObject, path: string): string | Failure {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path) ?? [];
  if (map !== undefined) return metadata[map as 'labels' | 'annotations']?.[key] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    default:
      return fail(`unsupported fieldPath: ${path}`);
  }
}
