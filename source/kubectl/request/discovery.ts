// What the server serves. kubectl asks once and keeps the answer for six hours in ~/.kube/cache, so most commands need not ask;
// it asks again when a kind is named that it does not know. When it has to ask and the server does not answer, it says so five
// times over, once for each part of it that tries.
import type {Process} from '../../sim/process/process.ts';
import {homeOf} from '../config/kubeconfig.ts';
import {Failure} from '../failure.ts';
import type {Values} from '../flags/values.ts';
import {builtinKinds, kindsOf, type Kinds} from '../resources/kinds.ts';
import {klogTime} from './klog.ts';
import type {Api} from './api.ts';

const KEPT_MS = 6 * 60 * 60 * 1000;
const TIMEOUT_MS = 32_000;
const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** The documents of the last server that was read: many commands in a row ask the same one. */
let last: {text: string; kinds: Kinds} | undefined;

/** What the server serves; `fresh` asks even when the answer is kept. */
export async function discover(
  process: Process,
  api: Api,
  options: {flags: Values; fresh?: boolean; tries?: number},
): Promise<Kinds | Failure> {
  const file = cacheFile(process, api, options.flags);
  const kept = options.fresh ? undefined : readKept(process, file);
  if (kept !== undefined) return kindsIn(kept);
  const documents: unknown[] = [];
  for (const path of ['/api', '/apis']) {
    const answer = await api.ask(
      {method: 'GET', path, query: {timeout: timeoutText(api)}, headers: {accept: ACCEPT}},
      {timeoutMs: TIMEOUT_MS},
    );
    if (answer instanceof Failure) {
      await complain(process, answer, options.tries ?? 5);
      return credentialsFailure(answer);
    }
    documents.push(answer);
  }
  if (!documents.every(isAggregated)) return builtinKinds();
  const text = JSON.stringify(documents);
  const {files} = process.machine;
  if (!files.makeFolder(file.slice(0, file.lastIndexOf('/')))) files.write(file, text, 0o660);
  return kindsIn(text);
}

function timeoutText(api: Api): string {
  const {timeoutMs} = api.connection;
  return timeoutMs === Infinity ? '32s' : `${Math.round(timeoutMs / 1000)}s`;
}

/** Discovery reads a refusal without a body, so the server's own sentence is not shown. */
function credentialsFailure(failure: Failure): Failure {
  if (!failure.is('Unauthorized') || failure.cause.type !== 'status') return failure;
  return new Failure({
    type: 'status',
    status: {...failure.cause.status, message: 'the server has asked for the client to provide credentials'},
  });
}

async function complain(process: Process, failure: Failure, tries: number): Promise<void> {
  // What went wrong before anything was asked is told once, by the command.
  if (failure.cause.type === 'plain') return;
  const {message} = credentialsFailure(failure);
  for (let i = 0; i < tries; i++) {
    await process.err(
      `E${klogTime(process)} memcache.go:265] "Unhandled Error" err=${JSON.stringify(`couldn't get current server API group list: ${message}`)}\n`,
    );
  }
}

function cacheFile(process: Process, api: Api, flags: Values): string {
  const folder = flags.has('cache-dir') ? process.path(flags.text('cache-dir')) : `${homeOf(process)}/.kube/cache`;
  return `${folder}/discovery/${api.connection.host}_${api.connection.port}/servergroups.json`;
}

function readKept(process: Process, file: string): string | undefined {
  const info = process.machine.files.info(file);
  if (!info || process.machine.wall() - info.modified > KEPT_MS) return undefined;
  return process.machine.files.read(file);
}

function kindsIn(text: string): Kinds {
  if (last?.text !== text) last = {text, kinds: readKinds(text)};
  return last.kinds;
}

function readKinds(text: string): Kinds {
  try {
    const documents: unknown = JSON.parse(text);
    return Array.isArray(documents) ? kindsOf(documents) : builtinKinds();
  } catch {
    // Somebody wrote into the cache; the kinds of this version are the next best guess.
    return builtinKinds();
  }
}

function isAggregated(document: unknown): boolean {
  return typeof document === 'object' && document !== null && (document as {kind?: unknown}).kind === 'APIGroupDiscoveryList';
}
