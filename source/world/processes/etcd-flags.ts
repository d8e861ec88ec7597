// What etcd says of flags that are well formed and cannot be: it verifies them as a whole, before it touches anything.
import {isAddress} from './flag-values.ts';
import type {Flags} from './flags.ts';

const LONGEST_ELECTION_MS = 50_000;
const MODES = ['', 'periodic', 'revision'];

/** Why the flags do not fit; the first mistake is told. */
export function whyUnverified(flags: Flags): string | undefined {
  if (flags.stray !== undefined) return `'${flags.stray}' is not a valid flag`;
  for (const name of ['listen-peer-urls', 'listen-client-urls', 'listen-metrics-urls'])
    for (const url of flags.list(name)) {
      const [, host = ''] = /^https?:\/\/\[?([^/\]]*?)\]?:\d*$/.exec(url) ?? [];
      if (host !== 'localhost' && !isAddress(host)) return `expected IP in URL for binding (${url})`;
    }
  const [beat, election] = [flags.number('heartbeat-interval'), flags.number('election-timeout')];
  const [beats, elections] = [`--heartbeat-interval[${beat}ms]`, `--election-timeout[${election}ms]`];
  if (beat <= 0) return `--heartbeat-interval must be >0 (set to ${beat}ms)`;
  if (election <= 0) return `--election-timeout must be >0 (set to ${election}ms)`;
  if (5 * beat > election) return `${elections} should be at least as 5 times as ${beats}`;
  if (election > LONGEST_ELECTION_MS) return `${elections} is too long, and should be set less than ${LONGEST_ELECTION_MS}ms`;
  if (flags.given('listen-client-urls') !== undefined && flags.given('advertise-client-urls') === undefined)
    return '--advertise-client-urls is required when --listen-client-urls is set explicitly';
  const mode = flags.text('auto-compaction-mode');
  return MODES.includes(mode) ? undefined : `unknown auto-compaction-mode ${JSON.stringify(mode)}`;
}
