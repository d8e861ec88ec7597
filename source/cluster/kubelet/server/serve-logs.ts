// A container's log for the API server, with the refusals of containers that have none yet.
import {isCriError, type LogLine} from '../../../api/wire/cri.ts';
import type {Answer, HttpCall} from '../../../api/wire/http.ts';
import type {LogQuery} from '../../../api/wire/kubelet.ts';
import {parseTime} from '../../../api/meta/time.ts';
import type {Caller} from '../../../sim/network.ts';
import type {PodWorker} from '../pod-worker.ts';
import {rpcError} from '../runtime-client.ts';
import type {KubeletParts} from '../surroundings.ts';

export interface LogFacts {
  readonly parts: KubeletParts;
  readonly worker: PodWorker;
  readonly container: string;
  readonly call: HttpCall<string>;
}

/** Answers with the log. */
export function serveLogs({parts, worker, container, call}: LogFacts): void {
  const query = (call.request.query ?? {}) as LogQuery;
  const id = logOf(parts, worker, {container, previous: query.previous === 'true'});
  if (typeof id !== 'string') return call.answer(refusal(id.error));
  const state = {left: query.limitBytes === undefined ? Infinity : Number(query.limitBytes)};
  const show = (lines: readonly LogLine[]) => cut(state, lines.map(line => lineText(line, query.timestamps === 'true')).join(''));
  let caller: Caller | undefined = undefined;
  caller = parts.runtime.stream<readonly LogLine[], readonly LogLine[]>(
    {
      kind: 'logs',
      id,
      follow: query.follow === 'true',
      ...(query.tailLines === undefined ? {} : {tail: Number(query.tailLines)}),
      ...sinceOf(query, parts.daemon.wall()),
    },
    {
      answer: (lines, more) => {
        if (isCriError(lines))
          call.answer(
            lines.error.code === 'NotFound'
              ? answer(`unable to retrieve container logs for containerd://${id}`)
              : {status: 500, body: rpcError(lines)},
          );
        else if (more) call.open(answer(show(lines)));
        else call.answer(answer(show(lines)));
      },
      frame: lines => call.send(show(lines)),
      end: failure =>
        failure === 'refused'
          ? call.answer({status: 500, body: rpcError(parts.runtime.unavailable(failure))})
          : call.end(failure),
    },
  );
  call.onCancel(() => caller?.cancel());
}

/** Which container's log is meant, or why there is none: as the pod's status shows it. */
function logOf(
  {writer}: KubeletParts,
  {pod}: PodWorker,
  which: {readonly container: string; readonly previous: boolean},
): string | {readonly error: string} {
  const {container, previous} = which;
  const refused = (why: string) => ({error: `container "${container}" in pod "${pod.metadata.name}" ${why}`});
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = writer.statusOf(pod.metadata.uid) ?? {};
  const status = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    each => each.name === container,
  );
  if (!status) return refused('is not available');
  const {running, terminated, waiting} = status.state ?? {};
  const last = idOf(status.lastState?.terminated?.containerID);
  if (previous) return last ?? {error: `previous terminated container "${container}" in pod "${pod.metadata.name}" not found`};
  if (running) return idOf(status.containerID) ?? refused('is not available');
  if (terminated) return idOf(terminated.containerID) ?? last ?? refused('is terminated');
  if (last !== undefined) return last;
  if (waiting?.reason === 'ErrImagePull') return refused("is waiting to start: image can't be pulled");
  if (waiting?.reason === 'ImagePullBackOff') return refused('is waiting to start: trying and failing to pull image');
  return refused(`is waiting to start: ${waiting?.reason ?? 'ContainerCreating'}`);
}

function idOf(containerID: string | undefined): string | undefined {
  return containerID?.replace('containerd://', '') || undefined;
}

function refusal(message: string): Answer {
  return {status: 400, headers: {'content-type': 'text/plain; charset=utf-8'}, body: message};
}

function answer(body: string): Answer {
  return {status: 200, headers: {'content-type': 'text/plain'}, body};
}

function cut(state: {left: number}, text: string): string {
  const shown = text.slice(0, state.left);
  state.left -= shown.length;
  return shown;
}

function sinceOf({sinceSeconds, sinceTime}: LogQuery, now: number): {since?: number} {
  if (sinceSeconds !== undefined) return {since: now - Number(sinceSeconds) * 1000};
  const since = parseTime(sinceTime);
  return since === undefined ? {} : {since};
}

function lineText({at, text}: LogLine, timestamps: boolean): string {
  return timestamps ? `${nanoTime(at)} ${text}\n` : `${text}\n`;
}

/** RFC 3339 with nanoseconds. */
function nanoTime(ms: number): string {
  const whole = Math.floor(ms);
  const nanos = Math.round((ms - whole) * 1e6);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(nanos).padStart(6, '0')}Z`;
}
