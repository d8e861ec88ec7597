// What the rows of many kinds have in common.
import type {Container} from '../kinds/core-v1.ts';
import {formatTime, humanDuration, parseTime} from '../meta/time.ts';

/** One value in a row, as JSON carries it. */
export type Cell = string | number | boolean;

/** The cells of one object, in the order of the resource's columns, the wide ones included. */
export type RowMaker<T = never> = (object: T, nowMs: number) => readonly Cell[];

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** How long ago a time was; `<unknown>` when there is none. */
export function since(time: string | undefined | null, nowMs: number): string {
  const ms = parseTime(time);
  return ms === undefined ? UNKNOWN : humanDuration(nowMs - ms);
}

/** The time at which an object was made, as some tables show it. */
export function createdAt(object: {readonly metadata: {readonly creationTimestamp?: string}}): string {
  const ms = parseTime(object.metadata.creationTimestamp);
  return ms === undefined ? '0001-01-01T00:00:00Z' : formatTime(ms);
}

/** How old an object is. */
export function age(object: {readonly metadata: {readonly creationTimestamp?: string}}, nowMs: number): string {
  return since(object.metadata.creationTimestamp, nowMs);
}

/** The names and the images of containers. */
export function containerCells(containers: readonly Container[] | undefined): readonly [string, string] {
  const list = containers ?? [];
  return [list.map(({name}) => name).join(','), list.map(({image}) => image ?? '').join(',')];
}

/** A text, or a word for its absence. */
export function or(text: string | undefined | null, absent: string): string {
  return text === undefined || text === null || text === '' ? absent : text;
}

/** The first few, and how many more there are. */
export function someOf(items: readonly string[], most: number, absent: string): string {
  if (items.length === 0) return absent;
  const shown = items.slice(0, most).join(',');
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** `RWO,ROX,RWX,RWOP`, in this order. */
export function accessModes(modes: readonly string[] | undefined): string {
  const short: readonly (readonly [string, string])[] = [
    ['ReadWriteOnce', 'RWO'],
    ['ReadOnlyMany', 'ROX'],
    ['ReadWriteMany', 'RWX'],
    ['ReadWriteOncePod', 'RWOP'],
  ];
  return short
    .filter(([mode]) => modes?.includes(mode))
    .map(([, letters]) => letters)
    .join(',');
}

/** The values of a condition's type in a list. */
export function conditionStatus(
  conditions: readonly {readonly type: string; readonly status: string}[] | undefined,
  type: string,
): string | undefined {
  return conditions?.find(condition => condition.type === type)?.status;
}

/** The addresses of a load balancer, each once. */
export function balancerAddresses(ingress: readonly {readonly ip?: string; readonly hostname?: string}[] | undefined): string[] {
  return [...new Set((ingress ?? []).map(({ip, hostname}) => or(ip, hostname ?? '')).filter(address => address !== ''))];
}

/** The old way to name a storage class. */
export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
