// Somebody in a pod gets an answer from a URL, tried once a second of virtual time, as a customer would.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {checked, needed, number, optional, record, text} from '../level/reader.ts';
import type {CheckKind, ReachProbe, Sample} from './check.ts';

interface Arguments {
  readonly from: string;
  readonly url: string;
  readonly code?: number;
  readonly rate?: number;
  readonly contains?: string;
}

const pods = builtin('pods');
/** How many of the latest tries a rate is taken over. */
const WINDOW = 10;

const from = checked(text(), words => (/^pod\/[^/]+\/[^/]+$/.test(words) ? undefined : 'pod/NAMESPACE/NAME is wanted here'));

export const http: CheckKind<Arguments> = {
  name: 'http',
  arguments: record({
    from: needed(from),
    url: needed(text()),
    code: optional(number()),
    rate: optional(number()),
    contains: optional(text()),
  }),
  judge(args, referee) {
    const probe = probeOf(args);
    const client = referee.find({resource: pods, namespace: probe.fromNamespace, name: probe.fromPod}) as Pod | undefined;
    if (!client) return {met: false, note: `no pod ${probe.fromPod}`};
    const samples = referee.samples(probe);
    const last = samples.at(-1);
    if (!last) return {met: false, note: 'not tried yet'};
    const window = samples.slice(-WINDOW);
    const good = window.filter(sample => isGood(args, sample)).length;
    const met = isGood(args, last) && (args.rate === undefined || good / window.length >= args.rate);
    return {
      met,
      note: last.failure ?? `${last.status}${window.length > 1 && good < window.length ? `, ${good} of ${window.length}` : ''}`,
    };
  },
  probes: args => [probeOf(args)],
};

function probeOf({from: client, url}: Arguments): ReachProbe {
  const [, fromNamespace = '', fromPod = ''] = client.split('/');
  return {fromNamespace, fromPod, url};
}

function isGood({code = 200, contains}: Arguments, sample: Sample): boolean {
  return sample.status === code && (contains === undefined || sample.body.includes(contains));
}
