// `kubectl set resources`: gives containers other requests and limits.
import type {ResourceRequirements} from '../../../api/kinds/core-v1.ts';
import {canonicalQuantity, parseQuantity} from '../../../api/meta/quantity.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {changeAll, SET_FLAGS} from './change.ts';
import {changeContainers, fitsPattern} from './templates.ts';

export const setResources: Command = {
  path: 'kubectl set resources',
  short: 'Give containers other requests and limits',
  examples: [
    'kubectl set resources deploy web --requests=cpu=100m,memory=64Mi',
    'kubectl set resources deploy web -c nginx --limits=memory=128Mi',
  ],
  does: [...SET_FLAGS, 'containers', 'limits', 'requests'],
  run,
};

type Amounts = Readonly<Record<string, string>>;

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  const limits = readAmounts(flags.text('limits'));
  if (limits instanceof Failure) return limits;
  const requests = readAmounts(flags.text('requests'));
  if (requests instanceof Failure) return requests;
  const isEmpty = flags.text('limits') === '' && flags.text('requests') === '';
  if (isEmpty && session.args.length > 0) {
    const missing = await changeAll(session, session.args, {operation: '', change: spec => spec});
    return missing ?? fail('you must specify an update to requests or limits (in the form of --requests/--limits)');
  }
  const pattern = flags.text('containers');
  return changeAll(session, session.args, {
    operation: 'resource requirements updated',
    refusal: 'failed to patch resources update to pod template ',
    change: spec => {
      if (![...spec.containers, ...(spec.initContainers ?? [])].some(({name}) => fitsPattern(pattern, name)))
        return fail(`error: unable to find container named ${pattern}`);
      return changeContainers(
        spec,
        container => {
          if (!fitsPattern(pattern, container.name)) return container;
          return {...container, resources: merged(container.resources ?? {}, {limits, requests})};
        },
        true,
      );
    },
  });
}

function merged(old: ResourceRequirements, {limits, requests}: {limits: Amounts; requests: Amounts}): ResourceRequirements {
  const join = (which: 'limits' | 'requests', more: Amounts) =>
    Object.keys(more).length > 0 ? {[which]: {...old[which], ...more}} : {};
  return {...old, ...join('limits', limits), ...join('requests', requests)};
}

function readAmounts(text: string): Amounts | Failure {
  const amounts: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const pair = part.split('=');
    const [name = '', amount = ''] = pair;
    if (pair.length !== 2) return fail(`Invalid argument syntax ${part}, expected <resource>=<value>`);
    const parsed = parseQuantity(amount);
    if ('error' in parsed) return fail(parsed.error);
    amounts[name] = canonicalQuantity(amount);
  }
  return amounts;
}
