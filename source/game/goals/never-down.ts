// Customers outside of the cluster get their answers, tried once a second; `budget` tries may fail.
import {needed, number, optional, record, text} from '../level/reader.ts';
import type {CheckKind, OutsideProbe} from './check.ts';

interface Arguments {
  readonly url: string;
  readonly budget?: number;
}

const probeOf = ({url}: Arguments): OutsideProbe => ({outside: url});

export const neverDown: CheckKind<Arguments> = {
  name: 'neverDown',
  arguments: record({url: needed(text()), budget: optional(number())}),
  judge(args, referee) {
    const {failed, last} = referee.failures(probeOf(args));
    return {met: failed <= (args.budget ?? 0), note: failed === 0 ? 'up' : `${failed} failed, the last with ${last}`};
  },
  probes: args => [probeOf(args)],
};
