// The row of an APIService.
import type {APIService} from '../kinds/apiregistration-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Service, Available, Age. */
export function apiServiceRow(service: APIService, nowMs: number): readonly Cell[] {
  const reference = service.spec?.service;
  const available = service.status?.conditions?.find(({type}) => type === 'Available');
  const reason = available?.reason ? ` (${available.reason})` : '';
  const text = available === undefined ? 'Unknown' : available.status === 'True' ? 'True' : `${available.status}${reason}`;
  const where = reference ? `${reference.namespace ?? ''}/${reference.name ?? ''}` : 'Local';
  return [service.metadata.name, where, text, age(service, nowMs)];
}
