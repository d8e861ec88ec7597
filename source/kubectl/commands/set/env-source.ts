// `kubectl set env --from=configmap/NAME`: a reference for each key of a config map or secret.
import type {EnvVar} from '../../../api/kinds/core-v1.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';

/** The variables that the flags bring in. */
export async function importFrom(session: Session): Promise<readonly EnvVar[] | Failure> {
  const {flags} = session;
  const selected = await select(session, {args: [flags.text('from')], labels: flags.text('selector') || undefined});
  if (selected instanceof Failure) return selected;
  const failure = gather(selected.failures);
  if (failure) return failure;
  const source = selected.found[0]?.object;
  if (source?.kind !== 'ConfigMap' && source?.kind !== 'Secret') return fail('unsupported resource specified in --from');
  const {name} = source.metadata;
  const wanted = flags.list('keys');
  const keys = Object.keys((source['data'] ?? {}) as object)
    .filter(key => wanted.length === 0 || wanted.includes(key))
    .sort();
  for (const key of keys) {
    const variable = variableName(key);
    if (variable !== key) await session.err(`Warning: key ${key} transferred to ${variable}\n`);
  }
  return keys.map(key => {
    const reference = {name, key};
    const valueFrom = source.kind === 'ConfigMap' ? {configMapKeyRef: reference} : {secretKeyRef: reference};
    return {name: `${flags.text('prefix')}${variableName(key)}`, valueFrom};
  });
}

/** A key as the name of a variable. */
function variableName(key: string): string {
  return key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}
