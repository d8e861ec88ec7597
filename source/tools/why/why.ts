// `why POD`: what led to a pod's state. It tells the chain of causes from the trace, from the player's own command on, and for a
// pod that the scheduler looked at each node's verdict or score. It shows what the player could have seen: the pod is read with
// the player's own kubectl, causes in other namespaces are left out, and nodes are named only where the player may list them.
import {timeOfDay} from '../../api/meta/time.ts';
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {ScheduleDetail} from '../../api/wire/scheduling.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Entry, Trace} from '../../sim/trace.ts';
import {causesOf} from './causes.ts';
import {capture} from './capture.ts';
import {verdictTable} from './verdicts.ts';

export interface WhyOptions {
  readonly trace: Trace;
  /** The time at virtual time 0, in milliseconds since 1970. */
  readonly startMs: number;
}

const USAGE = 'usage: why POD [-n NAMESPACE]   tells what led to the state of a pod\n';

/** Makes the program. */
export function makeWhy({trace, startMs}: WhyOptions): Program {
  return async process => {
    const words = process.argv.slice(1);
    const flags = namespaceFlags(words);
    const [name, ...more] = words.filter(
      (word, index) => !word.startsWith('-') && words[index - 1] !== '-n' && words[index - 1] !== '--namespace',
    );
    if (name === undefined || more.length > 0 || words.includes('--help') || words.includes('-h')) {
      await (name === undefined ? process.err(USAGE) : process.out(USAGE));
      return words.includes('--help') || words.includes('-h') ? 0 : 2;
    }
    const found = await capture(process, ['kubectl', 'get', 'pod', name.replace(/^pods?\//, ''), ...flags, '-o', 'json']);
    if (found.code !== 0) {
      await process.err(found.err);
      return 1;
    }
    const pod = JSON.parse(found.out) as Pod;
    const maySeeNodes = (await capture(process, ['kubectl', 'auth', 'can-i', 'list', 'nodes'])).out.trim() === 'yes';
    const time = (entry: Entry) => timeOfDay(startMs + entry.at);
    await process.out(stateLines(pod));
    await process.out(
      `\nHow it came about:\n${
        causesOf(trace, pod)
          .map(entry => `  ${time(entry)}  ${entry.who.padEnd(28)} ${entry.verb} ${entry.object}\n`)
          .join('') || '  too long ago to be remembered\n'
      }`,
    );
    const attempt = lastAttempt(trace, pod);
    if (attempt)
      await process.out(
        `\nThe scheduler's last look, ${time(attempt)}:\n${verdictTable(attempt.detail as ScheduleDetail, maySeeNodes)}`,
      );
    return 0;
  };
}

function namespaceFlags(words: readonly string[]): readonly string[] {
  const at = words.findIndex(word => word === '-n' || word === '--namespace');
  if (at >= 0) return ['-n', words[at + 1] ?? ''];
  return words.filter(word => /^(-n.+|--namespace=.+)$/.test(word));
}

/** The pod's own words: phase, what its containers wait for, what its conditions say. */
function stateLines({metadata, status, spec}: Pod): string {
  const conditions = (status?.conditions ?? []).filter(condition => condition.status === 'False' && condition.message);
  const waiting = (status?.containerStatuses ?? []).flatMap(({name, state}) =>
    state?.waiting?.reason
      ? [`container ${name} waits: ${state.waiting.reason}${state.waiting.message ? `: ${state.waiting.message}` : ''}`]
      : [],
  );
  return [
    `${metadata.name} is ${status?.phase ?? 'Unknown'}${spec.nodeName ? ` on ${spec.nodeName}` : ', on no node'}`,
    ...waiting.map(line => `  ${line}`),
    ...conditions.map(({type, reason, message}) => `  ${type} is False${reason ? ` (${reason})` : ''}: ${message}`),
    '',
  ].join('\n');
}

function lastAttempt(trace: Trace, {metadata}: Pod): Entry | undefined {
  const object = `pods/${metadata.namespace}/${metadata.name}`;
  for (const entry of trace.backwards()) if (entry.verb === 'schedule' && entry.object === object) return entry;
  return undefined;
}
