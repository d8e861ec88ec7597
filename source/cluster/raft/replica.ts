// How a member that does not lead takes over what its leader has.
import type {Core} from './core.ts';
import type {Entry, Snapshot} from './entry.ts';
import type {Append, Heartbeat, InstallSnapshot} from './message.ts';

/** Appends what fits; answers once it is on disk. A candidate that hears its term's leader does the same. */
export function takeAppend(core: Core, message: Append): void {
  const {log} = core;
  const {from, previousIndex, entries} = message;
  if (previousIndex < log.committed) return acknowledge(core, from, log.committed);
  if (!log.matches(previousIndex, message.previousTerm)) {
    const hint = log.lastNotAfter(previousIndex, message.previousTerm);
    core.promise({
      type: 'append-response',
      to: from,
      index: previousIndex,
      refused: true,
      hintIndex: hint.index,
      hintTerm: hint.term,
    });
    return;
  }
  const last = previousIndex + entries.length;
  if (!mergeEntries(core, entries)) return;
  core.commitTo(Math.min(message.commit, last));
  acknowledge(core, from, last);
}

function mergeEntries(core: Core, entries: readonly Entry[]): boolean {
  const from = core.log.conflict(entries);
  if (from === undefined) return true;
  if (from <= core.log.committed) {
    core.fault ??= `entry ${from} conflict with committed entry [committed(${core.log.committed})]`;
    return false;
  }
  core.log.replace(entries, from);
  return true;
}

function acknowledge(core: Core, to: string, index: number): void {
  core.promise({type: 'append-response', to, index, refused: false, hintIndex: 0, hintTerm: 0});
}

/** The leader lives; it never names a commit beyond what this member acknowledged. */
export function takeHeartbeat(core: Core, message: Heartbeat): void {
  core.commitTo(message.commit);
  core.send({type: 'heartbeat-response', to: message.from, read: message.read});
}

/** Takes a whole state, unless its own is as new. */
export function takeSnapshot(core: Core, message: InstallSnapshot): void {
  const {snapshot} = message;
  acknowledge(core, message.from, restore(core, snapshot) ? core.log.last : core.log.committed);
}

function restore(core: Core, snapshot: Snapshot): boolean {
  const {log} = core;
  if (snapshot.index <= log.committed) return false;
  if (log.matches(snapshot.index, snapshot.term)) {
    core.commitTo(snapshot.index);
    return false;
  }
  log.restore(snapshot);
  core.configuration = snapshot.configuration;
  core.pendingSnapshot = snapshot;
  return true;
}
