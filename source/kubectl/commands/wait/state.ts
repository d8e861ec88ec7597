// Waits until an object is as it should be: looks, then watches.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure} from '../../failure.ts';
import {apiVersionOf} from '../../resources/kinds.ts';
import type {Place, Session} from '../../session.ts';

export interface StateWish {
  readonly isMet: (object: AnyObject) => boolean | Failure;
  /** When the waiting ends, on the clock. */
  readonly until: number;
  /** What is said then. */
  readonly late: string;
}

/** The object once it is as it should be. */
export async function waitForState(
  session: Session,
  {kind, namespace, name}: Place,
  {isMet, until, late}: StateWish,
): Promise<AnyObject | Failure> {
  const {clock} = session.process.kernel;
  const api = session.api();
  if (api instanceof Failure) return api;
  const query = {fieldSelector: `metadata.name=${name}`};
  const path = pathOf(kind, namespace);
  for (;;) {
    const list = await api.ask<{items?: readonly AnyObject[]; metadata?: {resourceVersion?: string}}>({
      method: 'GET',
      path,
      query,
    });
    if (list instanceof Failure) return list;
    const [there] = list.items ?? [];
    const object = there && {...there, apiVersion: apiVersionOf(kind), kind: kind.kind};
    const met = object ? isMet(object) : false;
    if (met instanceof Failure) return met;
    if (met && object) return object;
    if (clock.now >= until) return fail(late);
    const watch = await api.open<WatchEvent<AnyObject>>({
      method: 'GET',
      path,
      query: {...query, watch: 'true', resourceVersion: list.metadata?.resourceVersion ?? '0'},
    });
    if (watch instanceof Failure) return watch;
    for (;;) {
      const event = await watch.next(Math.max(0, until - clock.now));
      if (event === INTERRUPTED) continue;
      if (event === 'timeout') return fail(late);
      if (event === null || event.type === 'ERROR') break;
      if (event.type === 'DELETED' || event.type === 'BOOKMARK') continue;
      const isNow = isMet(event.object);
      if (isNow === false) continue;
      watch.close();
      return isNow === true ? event.object : isNow;
    }
    await session.process.sleep(100);
  }
}
