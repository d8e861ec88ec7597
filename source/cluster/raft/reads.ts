// Reads that see all that was written before they were asked (ReadIndex). The leader notes its commit mark, asks the others
// with a heartbeat whether it still leads, and once a majority has said yes, whoever has applied up to the mark may read. No
// log entry and no clock is involved: a leader's lease alone would trust that all clocks run alike.
import type {Core} from './core.ts';
import type {Id} from './entry.ts';
import {beat} from './heartbeat.ts';
import {majority} from './quorum.ts';

/** Starts a read for `from`. Before the first commit of its term a leader does not know the mark: the read waits for that. */
export function askMajority(core: Core, from: Id, context: unknown): void {
  const {log} = core;
  if (log.termAt(log.committed) !== core.term) {
    core.earlyReads.push({from, context});
    return;
  }
  const {voters} = core.configuration;
  if (voters.length === 1 && voters[0] === core.id) return answer(core, {from, context}, log.committed);
  const number = ++core.readCount;
  core.pendingReads.push({number, index: log.committed, from, context, confirmed: new Set([core.id])});
  beat(core, number);
}

/** One follower has confirmed the leader for read `number`, and so for all reads before it. */
export function confirmRead(core: Core, from: Id, number: number): void {
  const at = core.pendingReads.findIndex(read => read.number === number);
  const read = core.pendingReads[at];
  if (!read || !core.configuration.voters.includes(from)) return;
  read.confirmed.add(from);
  if (read.confirmed.size < majority(core.configuration.voters.length)) return;
  for (const done of core.pendingReads.splice(0, at + 1)) answer(core, done, done.index);
}

/** The term's first entry is committed: reads that came early begin now. */
export function releaseEarlyReads(core: Core): void {
  const early = core.earlyReads;
  core.earlyReads = [];
  for (const {from, context} of early) askMajority(core, from, context);
}

function answer(core: Core, {from, context}: {readonly from: Id; readonly context: unknown}, index: number): void {
  if (from === core.id) core.reads.push({index, context});
  else core.send({type: 'read-index-response', to: from, index, context});
}
