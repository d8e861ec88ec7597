// One HTTP exchange with the phases that curl tells apart: the name, the connection, the answer.
import type {Answer, Request} from '../../api/wire/http.ts';
import {CONNECT} from '../../sim/network.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import type {Connection, Process} from '../../sim/process/process.ts';
import {lookUp} from './names.ts';
import type {Url} from './url.ts';

/** What is fetched, and how long each phase may take. */
export interface Fetch {
  readonly url: Url;
  readonly request: Request;
  /** Addresses that are known without asking: `host:port` → address. */
  readonly known: ReadonlyMap<string, string>;
  readonly connectMs: number;
  readonly totalMs: number;
  /** Told when the connection stands. */
  readonly onConnected?: (address: string) => Promise<void>;
}

/** Where and why it failed. */
export interface Trouble {
  readonly phase: 'name' | 'connection' | 'answer';
  readonly reason: 'unknown' | 'late' | 'refused' | 'reset' | 'closed';
  /** Milliseconds since the start. */
  readonly afterMs: number;
  /** The address that was dialled, once there was one. */
  readonly address?: string;
}

/** An open exchange; its frames are still to be read. */
export interface Fetched {
  readonly connection: Connection<Answer, unknown>;
  readonly address: string;
  readonly connectedMs: number;
}

/** Fetches: an open exchange, or where it failed. */
export async function fetch(process: Process, fetch: Fetch): Promise<Fetched | Trouble> {
  const {clock} = process.kernel;
  const began = clock.now;
  const {url, known} = fetch;
  const connectEnd = began + Math.min(fetch.connectMs, fetch.totalMs);
  const trouble = (phase: Trouble['phase'], reason: Trouble['reason']): Trouble => ({phase, reason, afterMs: clock.now - began});
  const fixed = known.get(`${url.host}:${url.port}`);
  const lookup = fixed === undefined ? await lookUp(process, url.host, connectEnd - clock.now) : undefined;
  if (lookup?.kind === 'late') return trouble('name', 'late');
  if (lookup?.kind === 'unknown' || lookup?.kind === 'silent') return trouble('name', 'unknown');
  const addresses = fixed !== undefined ? [fixed] : lookup?.kind === 'found' ? lookup.addresses : [url.host];
  const address = addresses[0] ?? url.host;
  const knock = await process.call(address, url.port, CONNECT, connectEnd - clock.now);
  if (!knock.ok) {
    if (knock.failure === 'unresolved') return trouble('name', 'unknown');
    return {...trouble('connection', knock.failure === 'timeout' ? 'late' : knock.failure), address};
  }
  const connectedMs = clock.now - began;
  await fetch.onConnected?.(address);
  const opened = await process.connect<Answer, unknown>(address, url.port, fetch.request, began + fetch.totalMs - clock.now);
  if ('answer' in opened) return {connection: opened, address, connectedMs};
  const reason = opened.failure === 'timeout' ? 'late' : opened.failure === 'unresolved' ? 'closed' : opened.failure;
  return {...trouble(reason === 'refused' ? 'connection' : 'answer', reason), address};
}

/** Reads the texts that follow the answer, until the end or until time is up. */
export async function* following(process: Process, connection: Connection<Answer, unknown>, end: number): AsyncGenerator {
  const {clock} = process.kernel;
  for (;;) {
    const frame = await connection.next(end === Infinity ? Infinity : Math.max(0, end - clock.now));
    if (frame === INTERRUPTED) continue;
    if (frame === null || frame === 'timeout') return;
    yield frame;
  }
}
