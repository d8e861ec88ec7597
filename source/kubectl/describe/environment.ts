// The variables of a container, with where they come from.
import type {Container, EnvFromSource, EnvVar} from '../../api/kinds/core-v1.ts';
import {formatMilli, formatUnits, milliValue, unitValue} from '../../api/meta/quantity.ts';
import type {Lines} from './lines.ts';

/** The value of a pod's field by its path (`metadata.name`); empty when it is not known. */
export type FieldValues = (path: string) => string;

/** Writes the sources that give all their keys. */
export function addEnvironmentFrom(lines: Lines, sources: readonly EnvFromSource[]): void {
  lines.add(2, 'Environment Variables from:');
  for (const source of sources) {
    const from = source.configMapRef ? 'ConfigMap' : source.secretRef ? 'Secret' : '';
    const {name = '', optional = false} = source.configMapRef ?? source.secretRef ?? {};
    lines.add(3, `${name}\t${from}${source.prefix ? ` with prefix '${source.prefix}'` : ''}\tOptional: ${optional}`);
  }
}

/** Writes the variables one by one. */
export function addEnvironment(lines: Lines, container: Container, fields: FieldValues | undefined): void {
  const variables = container.env ?? [];
  lines.add(2, `Environment:${variables.length === 0 ? '\t<none>' : ''}`);
  for (const variable of variables) {
    if (variable.valueFrom) lines.add(3, `${variable.name}:\t${sourceText(variable, container, fields)}`);
    else
      for (const [index, line] of (variable.value ?? '').split('\n').entries())
        lines.add(3, `${index === 0 ? `${variable.name}:` : ''}\t${line}`);
  }
}

function sourceText({valueFrom}: EnvVar, container: Container, fields: FieldValues | undefined): string {
  const {fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef} = valueFrom ?? {};
  if (fieldRef) return `${fields?.(fieldRef.fieldPath) ?? ''} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`;
  if (resourceFieldRef) return `${resourceText(container, resourceFieldRef)} (${resourceFieldRef.resource})`;
  if (secretKeyRef)
    return `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>\tOptional: ${secretKeyRef.optional ?? false}`;
  if (configMapKeyRef)
    return `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>\tOptional: ${configMapKeyRef.optional ?? false}`;
  return '';
}

/** A container's own amount, in units of the divisor, rounded up. */
function resourceText(
  container: Container,
  {resource, divisor}: {readonly resource: string; readonly divisor?: string | number},
): string {
  const at = resource.indexOf('.');
  const list = resource.slice(0, at) === 'limits' ? container.resources?.limits : container.resources?.requests;
  const amount = list?.[resource.slice(at + 1)];
  const isCpu = resource.endsWith('.cpu');
  const unit = divisor === undefined || divisor === '0' ? '1' : divisor;
  const value = isCpu ? Math.ceil(milliValue(amount) / milliValue(unit)) : Math.ceil(unitValue(amount) / unitValue(unit));
  if (value === 0 && (resource === 'limits.cpu' || resource === 'limits.memory')) return 'node allocatable';
  return isCpu ? formatMilli(value * 1000) : formatUnits(value);
}
