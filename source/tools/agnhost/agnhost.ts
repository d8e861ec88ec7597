// `agnhost`, for the subcommands that call instead of serving: `connect` says whether somebody listens, `dns-suffix` and the like are
// not there. Those that serve are models of the catalogue.
import {CONNECT} from '../../sim/network.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

const SERVING = new Set(['guestbook', 'liveness', 'netexec', 'pause', 'serve-hostname', 'test-webserver']);
const UNITS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000};

function durationMs(text: string): number | undefined {
  const [, number, unit] = /^([\d.]+)(ms|s|m)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit ?? ''] ?? 1);
}

/** The program. */
export const agnhost: Program = async process => {
  const [subcommand, ...args] = process.argv.slice(1);
  if (subcommand === 'connect') return connect(process, args);
  if (subcommand !== undefined && SERVING.has(subcommand)) {
    await process.err('listen tcp: bind: address already in use\n');
    return 1;
  }
  await process.err(`Error: unknown command "${subcommand ?? ''}" for "app"\nRun 'app --help' for usage.\n`);
  return 1;
};

async function connect(process: Process, args: readonly string[]): Promise<number> {
  const option = args.find(arg => arg.startsWith('--timeout='))?.slice(10);
  const [target = ''] = args.filter(arg => !arg.startsWith('-'));
  const timeoutMs = option === undefined ? 30_000 : (durationMs(option) ?? 30_000);
  const at = target.lastIndexOf(':');
  if (at < 0) return say(process, `OTHER: address ${target}: missing port in address`);
  const reply = await process.call(target.slice(0, at), Number(target.slice(at + 1)), CONNECT, timeoutMs);
  if (reply.ok) return 0;
  if (reply.failure === 'timeout') return say(process, 'TIMEOUT');
  if (reply.failure === 'unresolved') return say(process, `DNS: lookup ${target.slice(0, at)}: no such host`);
  return say(process, 'REFUSED');
}

async function say(process: Process, words: string): Promise<number> {
  await process.err(`${words}\n`);
  return 1;
}
