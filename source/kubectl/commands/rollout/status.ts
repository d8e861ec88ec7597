// `kubectl rollout status`: tells how a rollout goes until it is over.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {progressOf} from './progress.ts';
import {ROLLOUT_FLAGS, rolloutTargets} from './targets.ts';

export const rolloutStatus: Command = {
  path: 'kubectl rollout status',
  short: 'Tell how a rollout goes, until it is over',
  examples: ['kubectl rollout status deploy/web', 'kubectl rollout status ds/agent --timeout=60s'],
  does: [...ROLLOUT_FLAGS, 'revision', 'timeout', 'watch'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  if (session.flags.number('revision') < 0) return fail('revision must be a positive integer: ' + session.flags.text('revision'));
  const selected = await rolloutTargets(session);
  if (selected instanceof Failure) return selected;
  if (selected.found.length === 0 && selected.failures.length === 0) {
    await session.err('No resources found in default namespace.\n');
    return undefined;
  }
  return gather(await visitEach(selected, found => follow(session, found)));
}

async function follow(session: Session, found: Found): Promise<Failure | undefined> {
  const {object, kind, namespace, name} = found;
  if (!object) return undefined;
  const over = await tell(session, object);
  if (over !== false) return over === true ? undefined : over;
  if (!session.flags.on('watch')) return undefined;
  const api = session.api();
  if (api instanceof Failure) return api;
  const {clock} = session.process.kernel;
  const timeoutMs = session.flags.duration('timeout');
  const until = timeoutMs > 0 ? clock.now + timeoutMs : Infinity;
  let from = object.metadata.resourceVersion;
  for (;;) {
    const query = {fieldSelector: `metadata.name=${name}`, watch: 'true', resourceVersion: from};
    const watch = await api.open<WatchEvent<AnyObject>>({method: 'GET', path: pathOf(kind, namespace), query});
    if (watch instanceof Failure) return watch;
    for (;;) {
      const event = await watch.next(until === Infinity ? undefined : Math.max(0, until - clock.now));
      if (event === INTERRUPTED) continue;
      if (event === null) break;
      if (event === 'timeout') return fail('timed out waiting for the condition');
      if (event.type === 'DELETED') return fail('object has been deleted');
      if (event.type === 'ERROR') break;
      from = event.object.metadata.resourceVersion;
      const ended = await tell(session, event.object);
      if (ended === false) continue;
      watch.close();
      return ended === true ? undefined : ended;
    }
    await session.process.sleep(1000);
  }
}

/** Says how far it is; true when it is over. */
async function tell(session: Session, object: AnyObject): Promise<boolean | Failure> {
  const progress = progressOf(object, session.flags.number('revision'));
  if (progress instanceof Failure) return progress;
  await session.out(progress.text);
  return progress.done;
}
