// Creating and deleting pods for their owner: creates in batches that double as long as all goes well, so that an owner whose pods are
// refused asks a few times and not a thousand; an event for each; and what did not come to be is not expected any more.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {keyOf, type Draft, type KubeObject} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Expectations} from '../../client/expectations.ts';
import {create, remove} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';
import type {Context} from './context.ts';
import {isNamespaceTerminating, sendAll} from './send-all.ts';

/** For whom, and what is expected. */
export interface PodWork {
  readonly owner: KubeObject;
  /** The key of the owner, under which things are expected. */
  readonly key: string;
  readonly expectations: Expectations;
}

/** What came of it: how many, and the words of the first failure that counts. */
export interface PodsDone {
  readonly count: number;
  readonly failure: string | undefined;
}

const pods = builtin('pods');
const NOTHING: PodsDone = {count: 0, failure: undefined};

/** Creates pods. A namespace that is on its way out is no failure: trying again would be in vain. */
export function* createPods({client, recorder}: Context, work: PodWork, drafts: readonly Draft<Pod>[]): Task<PodsDone> {
  const {owner, key, expectations} = work;
  if (drafts.length === 0) return NOTHING;
  expectations.creations(key, drafts.length);
  let sent = 0;
  let count = 0;
  for (const size of slowStart(drafts.length)) {
    const batch = drafts.slice(sent, sent + size);
    sent += size;
    const requests = batch.map(draft => create(pods, draft));
    const results = yield* sendAll<Pod>(client, requests);
    let failed = false;
    let failure: string | undefined;
    for (const result of results) {
      if (result.ok) {
        count++;
        recorder.record(owner, {
          type: 'Normal',
          reason: 'SuccessfulCreate',
          message: `Created pod: ${result.value.metadata.name}`,
        });
        continue;
      }
      failed = true;
      expectations.created(key);
      if (isNamespaceTerminating(result.status)) continue;
      failure ??= result.status.message ?? '';
      recorder.record(owner, {type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${result.status.message}`});
    }
    if (!failed) continue;
    expectations.created(key, drafts.length - sent);
    return {count, failure};
  }
  return {count, failure: undefined};
}

/** Deletes pods, all at once. One that is gone already is no failure. */
export function* removePods({client, recorder}: Context, work: PodWork, victims: readonly Pod[]): Task<PodsDone> {
  const {owner, key, expectations} = work;
  if (victims.length === 0) return NOTHING;
  expectations.deletions(key, victims.map(keyOf));
  const requests = victims.map(({metadata: {name, namespace}}) => remove(pods, {name, namespace}));
  const results = yield* sendAll(client, requests);
  let count = 0;
  let failure: string | undefined;
  for (const [index, result] of results.entries()) {
    const pod = victims[index];
    if (!pod) continue;
    if (result.ok) {
      count++;
      recorder.record(owner, {type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}`});
      continue;
    }
    expectations.deleted(key, keyOf(pod));
    if (result.status.code === 404) continue;
    failure ??= result.status.message ?? '';
    recorder.record(owner, {type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${result.status.message}`});
  }
  return {count, failure};
}

/** Sizes of batches that double: 1, 2, 4, … */
export function slowStart(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count, size = 1; left > 0; left -= size, size = Math.min(2 * size, left)) sizes.push(size);
  return sizes;
}
