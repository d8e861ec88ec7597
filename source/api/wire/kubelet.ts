// What a kubelet serves on port 10250 to the API server (and to whoever has its rights): the logs of a container, commands in
// it, its streams, its ports, what it uses. Requests are HTTP; refusals have a text body and a status, as a kubelet answers.
//
// - `containerLogs`: the text so far; with `follow` further pieces of text come as frames.
// - `exec`, `attach`: answered 101, then `ChannelFrame`s both ways; the frame of channel 3 carries a `Status` and closes.
// - `portForward`: answered 101; a caller sends `PortFrame`s, each exchange under a number of its own, and gets `PortReply`s.
// - `pods`, `stats`, `metrics`: JSON and text, as others read them; `metrics/resource` gives who asks for USAGE_TYPE a `UsageSummary`.
// - `configz`, `logs`: the kubelet's configuration, the files under /var/log.
import type {Request} from './http.ts';

export const KUBELET_PORT = 10250;

/** A container of a pod. */
export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** As the query of `pods/log` has them, all as text. */
export interface LogQuery {
  readonly follow?: string;
  readonly previous?: string;
  readonly timestamps?: string;
  readonly tailLines?: string;
  readonly sinceSeconds?: string;
  readonly sinceTime?: string;
  readonly limitBytes?: string;
}

/** The body of `exec` and `attach`. Real requests carry these in the query, where `command` is repeated. */
export interface ExecOptions {
  /** Absent for attach. */
  readonly command?: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** What a caller of `portForward` sends on channel 0: a request to a port of the pod. */
export interface PortFrame {
  readonly id: number;
  readonly port: number;
  readonly request: unknown;
}

/** What comes back: an answer, then frames where more follows, then the end. `message`: why there is no answer. */
export interface PortReply {
  readonly id: number;
  readonly answer?: unknown;
  readonly more?: boolean;
  readonly frame?: unknown;
  /** Null after a proper end. */
  readonly end?: string | null;
  readonly message?: string;
}

/** What nodes and containers use, in the measures of metrics: cores, core-seconds, bytes. */
export interface UsageSummary {
  readonly node: Usage;
  readonly pods: readonly PodUsage[];
}

export interface Usage {
  readonly cpuCores: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** Milliseconds since 1970 of the measurement. */
  readonly at: number;
}

export interface PodUsage {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly startedAt: number;
  readonly containers: readonly (Usage & {readonly name: string})[];
}

export function logsRequest(place: ContainerPlace, query: LogQuery): Request {
  return {method: 'GET', scheme: 'https', path: pathOf('containerLogs', place), query: {...query}};
}

export function execRequest(place: ContainerPlace, options: ExecOptions): Request {
  return {method: 'POST', scheme: 'https', path: pathOf('exec', place), body: options};
}

export function attachRequest(place: ContainerPlace, options: ExecOptions): Request {
  return {method: 'POST', scheme: 'https', path: pathOf('attach', place), body: options};
}

export function portForwardRequest(place: Omit<ContainerPlace, 'container'>): Request {
  return {method: 'POST', scheme: 'https', path: `/portForward/${place.namespace}/${place.pod}`};
}

/** The type of a `UsageSummary`, which travels as it is where both sides are ours. */
export const USAGE_TYPE = 'application/x-usage';

/** What the node and its containers use now: a `UsageSummary`. */
export const summaryRequest: Request = Object.freeze({
  method: 'GET',
  scheme: 'https',
  path: '/metrics/resource',
  headers: {accept: USAGE_TYPE},
} as const);

function pathOf(what: string, place: ContainerPlace): string {
  return `/${what}/${place.namespace}/${place.pod}/${place.container}`;
}
