// A run as a value: which level, which luck, and all that the player did, each with its virtual time. The same level, seed and inputs
// give the same run again, byte for byte; so a run is what is kept to go on with, to look back at, to replay and to prove.
import {isFields} from '../api/meta/fields.ts';

/** One thing that the player did, with its virtual time in milliseconds since the cluster's start. */
export interface Input {
  readonly at: number;
  readonly kind: (typeof KINDS)[number];
  /** What was typed, the line that Tab was pressed in, or the new text of an edited file after a `=`. */
  readonly text?: string;
  /** Where in the line Tab was pressed, in characters. */
  readonly cursor?: number;
}

/** A run up to some moment. */
export interface Run {
  readonly format: typeof FORMAT;
  /** The level's id. */
  readonly level: string;
  /** Which text of the level: another text is another cluster. */
  readonly digest: string;
  readonly seed: number;
  readonly inputs: readonly Input[];
  /** How far it was played, in virtual milliseconds since the cluster's start. */
  readonly at: number;
  /** How it ended, for a run that is over. */
  readonly end?: RunEnd;
}

/** How a run ended: what its replay must come to as well. */
export interface RunEnd {
  readonly won: boolean;
  readonly stars: number;
  readonly writes: number;
  /** The hash of what happened in the cluster and of what the terminal showed. */
  readonly digest: string;
}

export const FORMAT = 'crashloop-run/1';
const KINDS = ['type', 'interrupt', 'end', 'edit', 'hint', 'complete'] as const;
/** More text than this is no run of a person. */
const LARGEST_RUN = 16 * 1024 * 1024;

/** Reads a run from a file's text; a sentence where it is none. */
export function readRun(text: string): Run | string {
  if (text.length > LARGEST_RUN) return `it is larger than ${LARGEST_RUN / 1024 / 1024} MiB`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return problemOf(value) ?? (value as Run);
}

/** What keeps a value from being a run; undefined where it is one. */
export function problemOf(value: unknown): string | undefined {
  if (!isFields(value)) return 'it is no object';
  const {format, level, digest, seed, inputs, at, end} = value;
  if (format !== FORMAT) return `format is ${JSON.stringify(format)}, not ${JSON.stringify(FORMAT)}`;
  if (typeof level !== 'string') return 'level is no text';
  if (typeof digest !== 'string') return 'digest is no text';
  if (!Number.isSafeInteger(seed)) return 'seed is no whole number';
  if (typeof at !== 'number' || !Number.isFinite(at)) return 'at is no number';
  if (!Array.isArray(inputs)) return 'inputs is no list';
  let before = 0;
  for (const [index, input] of inputs.entries()) {
    const problem = inputProblem(input, before);
    if (problem) return `inputs[${index}]${problem}`;
    before = (input as Input).at;
  }
  if (before > at) return `at is ${at}, before the last input`;
  return end === undefined ? undefined : endProblem(end);
}

function inputProblem(input: unknown, before: number): string | undefined {
  if (!isFields(input)) return ' is no object';
  const {at, kind, text, cursor} = input;
  if (typeof at !== 'number' || !Number.isFinite(at)) return '.at is no number';
  if (at < before) return `.at is ${at}, before the one before it`;
  if (!KINDS.includes(kind as Input['kind'])) return `.kind is ${JSON.stringify(kind)}, none of ${KINDS.join(', ')}`;
  if (text !== undefined && typeof text !== 'string') return '.text is no text';
  return cursor === undefined || Number.isSafeInteger(cursor) ? undefined : '.cursor is no whole number';
}

function endProblem(end: unknown): string | undefined {
  if (!isFields(end)) return 'end is no object';
  const {won, stars, writes, digest} = end;
  if (typeof won !== 'boolean') return 'end.won is neither true nor false';
  if (typeof stars !== 'number' || typeof writes !== 'number') return 'end.stars and end.writes are numbers';
  return typeof digest === 'string' ? undefined : 'end.digest is no text';
}
