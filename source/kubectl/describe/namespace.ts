// The page of a namespace, with its quotas and its ranges of limits; and the pages of those alone.
import type {LimitRange, Namespace, ResourceQuota} from '../../api/kinds/core-v1.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {Failure} from '../failure.ts';
import {timeText, type Describer, type Surroundings} from './describer.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels, sortedEntries} from './maps.ts';

const SCOPES: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort: 'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

export const describeNamespace: Describer = async (object, around) => {
  const {metadata, status} = object as unknown as Namespace;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Status', status?.phase ?? '');
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0)
    lines.raw(
      'Conditions:\n  Type\tStatus\tLastTransitionTime\tReason\tMessage\n  ----\t------\t------------------\t------\t-------\n',
    );
  for (const {type, status: state, lastTransitionTime, reason = '', message = ''} of conditions)
    lines.add(1, `${type}\t${state}\t${timeText(lastTransitionTime)}\t${reason}\t${message}`);
  await addQuotas(lines, metadata.name, around);
  await addLimits(lines, metadata.name, around);
  return lines.text();
};

async function listIn<T>(namespace: string, resource: string, {session}: Surroundings): Promise<readonly T[] | undefined> {
  const api = session.api();
  if (api instanceof Failure) return undefined;
  const list = await api.ask<{items?: readonly T[]}>({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}/${resource}`,
    query: {limit: '500'},
  });
  return list instanceof Failure ? undefined : (list.items ?? []);
}

async function addQuotas(lines: Lines, namespace: string, around: Surroundings): Promise<void> {
  const quotas = await listIn<ResourceQuota>(namespace, 'resourcequotas', around);
  if (!quotas) return;
  lines.raw(quotas.length === 0 ? '\nNo resource quota.\n' : '\nResource Quotas\n');
  for (const {metadata, spec, status} of quotas.toSorted((a, b) => compareStrings(a.metadata.name, b.metadata.name))) {
    lines.field(1, 'Name', metadata.name);
    const scopes = (spec?.scopes ?? []).toSorted();
    if (scopes.length > 0) lines.field(1, 'Scopes', scopes.join(', '));
    for (const scope of scopes) if (SCOPES[scope]) lines.add(1, `* ${SCOPES[scope]}`);
    lines.add(1, 'Resource\tUsed\tHard');
    lines.add(1, '--------\t---\t---');
    for (const [name, hard] of sortedEntries(status?.hard))
      lines.add(1, `${name}\t${canonicalQuantity(status?.used?.[name] ?? '0')}\t${canonicalQuantity(hard)}`);
  }
}

async function addLimits(lines: Lines, namespace: string, around: Surroundings): Promise<void> {
  const ranges = await listIn<LimitRange>(namespace, 'limitranges', around);
  if (!ranges) return;
  if (ranges.length === 0) {
    lines.raw('\nNo LimitRange resource.\n');
    return;
  }
  lines.raw('\nResource Limits\n Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio\n');
  lines.raw(' ----\t--------\t---\t---\t---------------\t-------------\t-----------------------\n');
  for (const range of ranges) addLimitRows(lines, range, ' ');
}

function addLimitRows(lines: Lines, {spec}: LimitRange, indent: string): void {
  for (const limit of spec?.limits ?? []) {
    const {max = {}, min = {}, default: fallback = {}, defaultRequest = {}, maxLimitRequestRatio = {}} = limit;
    const names = new Set([max, min, fallback, defaultRequest, maxLimitRequestRatio].flatMap(amounts => Object.keys(amounts)));
    for (const name of [...names].sort()) {
      const cells = [min, max, defaultRequest, fallback, maxLimitRequestRatio].map(amounts =>
        amounts[name] === undefined ? '-' : canonicalQuantity(amounts[name]),
      );
      lines.raw(`${indent}${limit.type}\t${name}\t${cells.join('\t')}\n`);
    }
  }
}

export const describeLimitRange: Describer = async object => {
  const range = object as unknown as LimitRange;
  const lines = new Lines();
  lines.field(0, 'Name', range.metadata.name);
  lines.field(0, 'Namespace', range.metadata.namespace ?? '');
  lines.raw('Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio\n');
  lines.raw('----\t--------\t---\t---\t---------------\t-------------\t-----------------------\n');
  addLimitRows(lines, range, '');
  return lines.text();
};

export const describeQuota: Describer = async object => {
  const {metadata, spec, status} = object as unknown as ResourceQuota;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  const scopes = (spec?.scopes ?? []).toSorted();
  if (scopes.length > 0) lines.field(0, 'Scopes', scopes.join(', '));
  for (const scope of scopes) if (SCOPES[scope]) lines.add(0, ` * ${SCOPES[scope]}`);
  lines.add(0, 'Resource\tUsed\tHard');
  lines.add(0, '--------\t----\t----');
  for (const [name, hard] of sortedEntries(status?.hard))
    lines.add(0, `${name}\t${canonicalQuantity(status?.used?.[name] ?? '0')}\t${canonicalQuantity(hard)}`);
  return lines.text();
};
