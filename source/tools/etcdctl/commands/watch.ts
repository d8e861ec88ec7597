// watch: what becomes of keys, from now or from a revision on.
import type {WatchedEvent, WatchFrame} from '../../../api/wire/etcd.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {headerJson, type Command, type Context} from '../command.ts';
import {badArgument, Ended, EXIT} from '../exit.ts';
import {pairJson, pairText} from '../key-values.ts';
import {jsonText} from '../print/json.ts';
import {keysOf} from './keys.ts';

async function watch(context: Context): Promise<void> {
  const {process, client, words, flags, format} = context;
  const at = words.indexOf('--');
  const names = at < 0 ? words : words.slice(0, at);
  if (names.length === 0 || names.length > 2) throw badArgument('bad number of arguments');
  const keys = keysOf(names, flags, 'watch');
  const from = flags.number('rev');
  const previous = flags.on('prev-kv');
  const connection = await client.watch({kind: 'watch', ...keys, ...(from ? {from} : {}), previous});
  if (!connection) throw new Ended('watch is canceled by the server', EXIT.interrupted);
  for (;;) {
    const frame = await connection.next();
    if (frame === null || frame === 'timeout' || frame === INTERRUPTED)
      throw new Ended('watch is canceled by the server', EXIT.interrupted);
    const why = whyOver(frame);
    if (why !== undefined) {
      await process.err(`watch was canceled (${why})\n`);
      throw new Ended('watch is canceled by the server', EXIT.interrupted);
    }
    if (format === 'json') await process.out(`${jsonText(frameJson(frame))}\n`);
    else await process.out(frame.events.map(event => eventText(event, previous)).join(''));
  }
}

function whyOver({compactRevision, error}: WatchFrame): string | undefined {
  if (compactRevision !== undefined) return 'etcdserver: mvcc: required revision has been compacted';
  return error?.message;
}

function eventText({type, current, previous}: WatchedEvent, withPrevious: boolean): string {
  const before = withPrevious && previous ? pairText(previous) : '';
  return `${type === 'put' ? 'PUT' : 'DELETE'}\n${before}${pairText(current)}`;
}

function frameJson({revision, events}: WatchFrame): Record<string, unknown> {
  return {
    Header: headerJson({clusterId: '', memberId: '', revision, term: 0}),
    Events: events.map(({type, current, previous}) => ({
      type: type === 'delete' ? 1 : undefined,
      kv: pairJson(current),
      prev_kv: previous && pairJson(previous),
    })),
    CompactRevision: 0,
    Canceled: false,
    Created: false,
  };
}

export const WATCH_COMMAND: Command = {
  path: 'watch',
  usage: '[options] [key or prefix] [range_end] [--] [exec-command arg1 arg2 ...]',
  short: 'Watches events stream on keys or prefixes',
  flags: [
    {name: 'prefix', type: 'bool'},
    {name: 'from-key', type: 'bool'},
    {name: 'rev', type: 'int'},
    {name: 'prev-kv', type: 'bool'},
    {name: 'progress-notify', type: 'bool'},
    {name: 'interactive', short: 'i', type: 'bool'},
  ],
  run: watch,
};
