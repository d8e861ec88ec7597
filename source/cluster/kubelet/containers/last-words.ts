// What a container says at its end: what it wrote to its file of last words, or, where its spec says so and it failed, the end of
// its log.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {isCriError, type ContainerStatus, type LogLine} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import type {PodKnowledge} from '../knowledge.ts';
import type {KubeletParts} from '../surroundings.ts';
import type {PodVolumes} from '../volumes/volumes.ts';

const LOG_LINES = 80;
const LOG_BYTES = 2048;

/** The pod that a container belonged to. */
export interface Mourner {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly volumes: PodVolumes;
}

/** Takes the last words of a container that has ended. The answer is what is left to do, where that takes time. */
export function takeLastWords({parts, pod, known, volumes}: Mourner, status: ContainerStatus): Task | undefined {
  const written = volumes.takeLastWords(status.name);
  if (written !== '') {
    keep(known, status, written);
    return undefined;
  }
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const policy = containers.find(container => container.name === status.name)?.terminationMessagePolicy;
  return policy === 'FallbackToLogsOnError' && status.exitCode !== 0 ? endOfLog(parts, known, status) : undefined;
}

function* endOfLog(parts: KubeletParts, known: PodKnowledge, status: ContainerStatus): Task {
  const lines = yield* parts.runtime.ask<readonly LogLine[]>({kind: 'logs', id: status.id, follow: false, tail: LOG_LINES});
  if (isCriError(lines)) return;
  const text = lines.map(line => `${line.text}\n`).join('');
  if (text !== '') keep(known, status, text.slice(-LOG_BYTES));
}

/** Two lives of a container are shown, and no more are kept. */
function keep(known: PodKnowledge, status: ContainerStatus, words: string): void {
  const container = known.of(status.name);
  const before = container.before && container.lastWords?.get(container.before.id);
  container.lastWords = new Map([[status.id, words]]);
  if (container.before && before !== undefined) container.lastWords.set(container.before.id, before);
}
