// Waits until objects are gone: what `delete` does at its end, and `wait --for=delete`.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure} from '../../failure.ts';
import type {Place, Session} from '../../session.ts';

/** An object that is to go. Another one of its name (of another uid) does not count. */
export interface Ending extends Place {
  readonly uid: string | undefined;
}

/** As long as anybody would wait: a week. */
const FOREVER_MS = 168 * 60 * 60 * 1000;

/** Waits for all of them, within `timeoutMs` (0: a week). */
export async function waitForEnd(session: Session, endings: readonly Ending[], timeoutMs: number): Promise<Failure | undefined> {
  const until = session.process.kernel.clock.now + (timeoutMs > 0 ? timeoutMs : FOREVER_MS);
  for (const ending of endings) {
    const failure = await waitForOne(session, ending, until);
    if (failure) return failure;
  }
  return undefined;
}

/** Waits for one, until the clock shows `until`. */
export async function waitForOne(session: Session, ending: Ending, until: number): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const {kind, namespace, name} = ending;
  const {clock} = session.process.kernel;
  const isAtOnce = clock.now >= until;
  const late = () =>
    fail(`${isAtOnce ? 'condition not met for' : 'timed out waiting for the condition on'} ${kind.resource}/${name}`);
  for (;;) {
    const list = await api.ask<{items?: readonly AnyObject[]; metadata?: {resourceVersion?: string}}>({
      method: 'GET',
      path: pathOf(kind, namespace),
      query: {fieldSelector: `metadata.name=${name}`},
    });
    if (list instanceof Failure) return list;
    const there = list.items?.[0];
    if (!there || (ending.uid !== undefined && there.metadata.uid !== ending.uid)) return undefined;
    if (clock.now >= until) return late();
    const query = {fieldSelector: `metadata.name=${name}`, watch: 'true', resourceVersion: list.metadata?.resourceVersion ?? '0'};
    const watch = await api.open<WatchEvent<AnyObject>>({method: 'GET', path: pathOf(kind, namespace), query});
    if (watch instanceof Failure) return watch;
    for (;;) {
      const event = await watch.next(Math.max(0, until - clock.now));
      if (event === INTERRUPTED) continue;
      if (event === 'timeout') {
        watch.close();
        return late();
      }
      if (event === null || event.type === 'ERROR') break;
      if (event.type === 'DELETED') {
        watch.close();
        return undefined;
      }
    }
    await session.process.sleep(100);
  }
}
