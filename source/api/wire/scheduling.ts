// What the scheduler writes into the trace for each attempt (verb `schedule`, object `pods/namespace/name`), for `why POD` and the
// path view to read. It is kept small: of a large cluster only some nodes are named.

/** One attempt to place a pod. */
export interface ScheduleDetail {
  /** The node that was chosen. */
  readonly node?: string;
  /** All nodes, those that were looked at, and those that would have done. */
  readonly total: number;
  readonly evaluated: number;
  readonly feasible: number;
  /** The first plugin that refused each node; of many nodes only the first ones. */
  readonly refusals: readonly ScheduleRefusal[];
  /** How many nodes each reason holds for. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
  /** The text of FailedScheduling, when no node was found. */
  readonly message?: string;
  /** The node on which preemption makes room. */
  readonly nominated?: string;
  /** Weighted scores; absent when there was no choice. */
  readonly scores?: ScheduleScores;
}

/** Why a node was out of the question. */
export interface ScheduleRefusal {
  readonly node: string;
  readonly plugin: string;
  readonly reasons: readonly string[];
}

/** A table of scores: the plugins that scored, and the best nodes with a number for each, the chosen one first. */
export interface ScheduleScores {
  readonly plugins: readonly string[];
  readonly rows: readonly {readonly node: string; readonly scores: readonly number[]; readonly total: number}[];
}
