// What a program is, as far as the cluster can tell from outside: how long it takes to start, what it listens on and answers,
// what it logs, what it uses, what it needs, and how it ends. The images of a level and the well-known ones carry such models
// instead of code; the shape is the one that a level file writes under `programs`.
import {milliValue, unitValue} from '../../api/meta/quantity.ts';
import type {Request} from '../../api/wire/http.ts';
import type {AdmissionModel} from './admission-model.ts';
import type {WorkModel} from './work-queue.ts';

/** A use that changes with time since the start. Between two points it grows evenly; after the last it stays. */
export interface Curve {
  /** [seconds, quantity], in order of time. */
  readonly points: readonly (readonly [number, string | number])[];
  /** Begins again after so many seconds. */
  readonly period?: number;
}

/** A folder, and the server's page for what is forbidden (403) or not there (404). */
export interface Serving {
  readonly folder: string;
  readonly page: (status: number) => HttpReply;
}

/** To whom a request is passed on. */
export interface Forward {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly hostHeader: string;
}

/** An answer to a path; a number is its status, a text may have a body after it: `200 hello`. */
export type HttpReply =
  | number
  | string
  | {
      readonly status?: number;
      readonly body?: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delaySeconds?: number;
      /** Only from so many seconds after the start on; before, 503. */
      readonly afterSeconds?: number;
      /** Only up to so many seconds after the start; then 503. */
      readonly untilSeconds?: number;
      /** A well-known server passes the request on; what else is here is said when nobody takes it. */
      readonly forward?: Forward;
      /** A well-known server answers with a file of the container. */
      readonly file?: Serving & {readonly path: string};
    };

export interface ModelLine {
  readonly line: string;
  /** Seconds after the start; absent: at once. */
  readonly after?: number;
  /** Again every so many seconds. */
  readonly every?: number;
  readonly stream?: 'stdout' | 'stderr';
}

/** What a program sees of a request. */
export interface Asked {
  readonly request: Request;
  /** The caller's address. */
  readonly from: string;
  /** The program's own port. */
  readonly port: number;
  /** Since the start. */
  readonly seconds: number;
  /** By the wall clock, in milliseconds since 1970. */
  readonly now: number;
}

/** One caller's side of a talk in plain text. */
export type Talk = (text: string, now: number) => {readonly say: string; readonly ends: boolean};

/** One program. */
export interface ProgramModel {
  /** Until it listens and answers. */
  readonly startSeconds?: number;
  /** It ends by itself with this code … */
  readonly exitCode?: number;
  /** … after so many seconds; absent: when it has started. */
  readonly exitAfterSeconds?: number;
  readonly log?: readonly (string | ModelLine)[];
  /** What it logs first of all, where that is much: made when somebody reads it, from the wall clock of the start. */
  readonly greeting?: (at: number) => readonly {readonly stream: 'stdout' | 'stderr'; readonly text: string}[];
  /** Logs a line for each request, as web servers do. */
  readonly accessLog?: boolean;
  readonly listen?: readonly number[];
  /** Paths and answers; `*` for all others, which are 404 without it. */
  readonly http?: Readonly<Record<string, HttpReply>>;
  /** Answers to what `http` does not name, out of the request: those of well-known images alone, as a file cannot write them. */
  readonly respond?: (asked: Asked) => HttpReply | undefined;
  /** The files of a folder, in place of the answer for `*`. */
  readonly serves?: Serving;
  /** It talks in plain text, not in HTTP: made once a start, and for each caller what hears a text and says what to answer. Well-known images alone. */
  readonly talk?: (startedAt: number) => () => Talk;
  /** How it calls itself in its answers. */
  readonly server?: string;
  /** What each request costs, beside `cpu`; absent: nothing, however many come. */
  readonly work?: WorkModel;
  /** It answers the API server's admission reviews, on any path that `http` does not name. */
  readonly admission?: AdmissionModel;
  /** It speaks TLS on all its ports, with a certificate and a key from these files. */
  readonly tls?: {readonly certificate: string; readonly key: string};
  /** Cores: constant or a curve. A limit throttles it. */
  readonly cpu?: string | number | Curve;
  /** Bytes: constant or a curve. Above the container's limit it is killed. */
  readonly memory?: string | number | Curve;
  /** What must be there, or it ends at once with `exitCode` 1 and says so. */
  readonly needs?: {
    /** `A|B`: one of these. */
    readonly env?: readonly string[];
    readonly files?: readonly string[];
    /** What it logs then; `$NAME` is what is missing. */
    readonly message?: string;
    readonly exitCode?: number;
  };
  /** Seconds from the stop signal to its end; -1 when it ignores the signal. Absent: ends at once. */
  readonly termSeconds?: number;
  /** What it returns after the stop signal; absent: 0. */
  readonly termCode?: number;
  /** The user that the image runs as; absent: root. */
  readonly user?: number;
}

/** A curve as plain numbers. */
export interface Course {
  at(seconds: number): number;
  /** What was used from the start up to then. */
  total(seconds: number): number;
  /** When it first goes above a bound; Infinity for never. */
  above(bound: number): number;
}

const courses = new WeakMap<ProgramModel, {readonly cpu: Course; readonly memory: Course}>();

/** The curves of a model, compiled once. */
export function coursesOf(model: ProgramModel): {readonly cpu: Course; readonly memory: Course} {
  const known = courses.get(model);
  if (known) return known;
  const made = {
    cpu: compile(model.cpu ?? '1m', quantity => milliValue(quantity) / 1000),
    memory: compile(model.memory ?? '4Mi', unitValue),
  };
  courses.set(model, made);
  return made;
}

function compile(curve: string | number | Curve, read: (quantity: string | number) => number): Course {
  if (typeof curve !== 'object') {
    const value = read(curve);
    return {at: () => value, total: seconds => value * seconds, above: bound => (value > bound ? 0 : Infinity)};
  }
  const points = curve.points.map(([second, quantity]) => ({second, value: read(quantity)}));
  const period = curve.period ?? Infinity;
  const once = periodTotal(points, Number.isFinite(period) ? period : 0);
  return {
    at: seconds => valueAt(points, Number.isFinite(period) ? seconds % period : seconds),
    total: seconds =>
      Number.isFinite(period)
        ? Math.floor(seconds / period) * once + periodTotal(points, seconds % period)
        : periodTotal(points, seconds),
    above: bound => firstAbove(points, bound),
  };
}

interface Point {
  readonly second: number;
  readonly value: number;
}

function valueAt(points: readonly Point[], seconds: number): number {
  let before = points[0];
  for (const point of points) {
    if (point.second > seconds && before)
      return point.second === before.second
        ? point.value
        : before.value + ((point.value - before.value) * Math.max(0, seconds - before.second)) / (point.second - before.second);
    before = point;
  }
  return before?.value ?? 0;
}

function periodTotal(points: readonly Point[], seconds: number): number {
  const cuts = [0, ...points.map(point => point.second).filter(second => second > 0 && second < seconds), seconds];
  let total = 0;
  for (let i = 1; i < cuts.length; i++) {
    const from = cuts[i - 1] ?? 0;
    const to = cuts[i] ?? 0;
    total += ((valueAt(points, from) + valueAt(points, to)) / 2) * (to - from);
  }
  return total;
}

function firstAbove(points: readonly Point[], bound: number): number {
  let before: Point | undefined;
  for (const point of points) {
    if (point.value > bound) {
      if (!before || before.value > bound) return before ? before.second : point.second;
      return before.second + ((bound - before.value) * (point.second - before.second)) / (point.value - before.value);
    }
    before = point;
  }
  return Infinity;
}
