// `kubectl set serviceaccount`: gives the pods of a workload another service account.
import {fail} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {changeAll, SET_FLAGS} from './change.ts';

export const setServiceAccount: Command = {
  path: 'kubectl set serviceaccount',
  short: 'Give the pods of a workload another service account',
  examples: ['kubectl set serviceaccount deploy web robot'],
  does: SET_FLAGS,
  run,
};

async function run(session: Session): Promise<Outcome> {
  const name = session.args.at(-1);
  if (name === undefined) return fail('serviceaccount is required');
  return changeAll(session, session.args.slice(0, -1), {
    operation: 'serviceaccount updated',
    always: true,
    refusal: 'failed to patch ServiceAccountName ',
    change: spec => ({...spec, serviceAccountName: name}),
  });
}
