// From the argument of `logs`, `exec` and `attach` to pods: a pod by its name, or what a workload selects.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {fail, Failure} from '../../failure.ts';
import {bestFirst, podSelectorOf, podsOf} from '../../resources/pods.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';

/** How often is looked whether a workload has a pod by now. */
const LOOK_MS = 500;

export interface PodsWish {
  readonly namespace: string;
  /** All pods of a workload, not only the best. */
  readonly all: boolean;
  /** What the server says is passed on as it is. */
  readonly plainWords?: boolean;
  /** Nothing is said of the choice, and what has no pods cannot be attached to. */
  readonly forStreams?: boolean;
}

/** The pods that an argument means: one, or with `all` every pod of a workload. */
export async function findPods(session: Session, argument: string, wish: PodsWish): Promise<readonly Pod[] | Failure> {
  const args = argument.includes('/') ? [argument] : ['pods', argument];
  const selected = await select(session, {args});
  if (selected instanceof Failure) return selected;
  const [failure] = selected.failures;
  if (failure) return wish.plainWords ? failure : explained(failure, wish.namespace);
  const object = selected.found[0]?.object;
  if (!object) return [];
  if (object.kind === 'Pod') return [object as unknown as Pod];
  const selector = podSelectorOf(object, wish.forStreams ? 'cannot attach to' : 'cannot get the logs from');
  if (selector instanceof Failure) return selector;
  return podsOfWorkload(session, selector, wish);
}

function explained(failure: Failure, namespace: string): Failure {
  if (!failure.is('NotFound')) return failure;
  return fail(`error from server (NotFound): ${failure.message} in namespace ${JSON.stringify(namespace)}`);
}

async function podsOfWorkload(session: Session, selector: string, wish: PodsWish): Promise<readonly Pod[] | Failure> {
  const {clock} = session.process.kernel;
  const until = clock.now + session.flags.duration('pod-running-timeout');
  for (;;) {
    const pods = await podsOf(session, wish.namespace, selector);
    if (pods instanceof Failure) return pods;
    const sorted = bestFirst(pods);
    const [first] = sorted;
    if (first && wish.all) return sorted;
    if (first) {
      if (sorted.length > 1 && !wish.forStreams)
        await session.err(`Found ${sorted.length} pods, using pod/${first.metadata.name}\n`);
      return [first];
    }
    if (clock.now >= until) return fail('timed out waiting for the condition');
    await session.process.sleep(LOOK_MS);
  }
}
