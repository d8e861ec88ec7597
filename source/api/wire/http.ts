// The two shapes that travel between programs and components. The first is a request with an answer, or with an answer and
// a row of frames (a watch, a log that is followed). The second is the duplex of exec, attach and port-forward: the same
// request, and frames with a channel number both ways.
//
// They are HTTP without bytes: frozen objects travel as they are. A request of kubectl, one of a program in a pod and one
// from a real client through `serve` look the same here.
import type {ClientCertificate} from '../pki/certificate.ts';
import type {ClientHello} from './tls.ts';
import type {Call as SimCall, Receiver as SimReceiver} from '../../sim/network.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP request. Header names are lower-case. */
export interface Request {
  readonly method: Method;
  readonly scheme?: 'http' | 'https';
  /** Decoded, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the TLS handshake proved of the caller. */
  readonly certificate?: ClientCertificate;
  /** How the caller greets the server, where it looks at the server's certificate. */
  readonly hello?: ClientHello;
  /** A frozen object, or text where the content type is no JSON. */
  readonly body?: unknown;
  /** How long the body is, where it came as bytes. */
  readonly bytes?: number;
  /** The caller looks at headers: those that nobody else needs are made for him. */
  readonly readsHeaders?: boolean;
}

/** One HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A watch frame of the Kubernetes API. */
export interface WatchEvent<T = unknown> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
  /** The trace entry of the request that wrote it; never shown to real clients. */
  readonly cause?: number;
}

/** A frame of a duplex: 0 stdin, 1 stdout, 2 stderr, 3 the closing Status, 4 resize; null data closes the channel. */
export interface ChannelFrame {
  readonly channel: number;
  readonly data: unknown;
}

/** What a server is handed. */
export type HttpCall<F = unknown> = SimCall<Request, Answer, F>;

/** What a caller hears. */
export type HttpReceiver<F = unknown> = SimReceiver<Answer, F>;

/** Media types that matter. */
export const JSON_TYPE = 'application/json';
export const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
