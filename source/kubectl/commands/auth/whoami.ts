// `kubectl auth whoami`: who the server takes one for.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {tableText} from '../../print/printer.ts';
import {printTyped} from '../../print/typed.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';

export const whoami: Command = {
  path: 'kubectl auth whoami',
  short: 'Show who the server takes you for',
  examples: ['kubectl auth whoami'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS],
  run,
};

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  const api = session.api();
  if (api instanceof Failure) return api;
  const body = {apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {}};
  const answer = await api.ask<AnyObject>({method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body});
  if (answer instanceof Failure) {
    const isRefused = answer.is('Forbidden') || answer.is('NotFound');
    return isRefused
      ? fail('the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it')
      : answer;
  }
  if (flags.text('output') === '') {
    const {userInfo = {}} = (answer.status ?? {}) as {userInfo?: UserInfo};
    await session.out(tableText(rowsOf(userInfo)));
    return undefined;
  }
  return printTyped(session, [answer]);
}

function rowsOf({username, uid, groups, extra}: UserInfo): string[][] {
  const rows = [['ATTRIBUTE', 'VALUE']];
  if (username) rows.push(['Username', username]);
  if (uid) rows.push(['UID', uid]);
  if (groups && groups.length > 0) rows.push(['Groups', `[${groups.join(' ')}]`]);
  for (const key of Object.keys(extra ?? {}).sort()) rows.push([`Extra: ${key}`, `[${(extra?.[key] ?? []).join(' ')}]`]);
  return rows;
}
