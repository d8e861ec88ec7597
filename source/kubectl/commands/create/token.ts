// `kubectl create token`: a token for a service account.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {fail, Failure} from '../../failure.ts';
import {printTyped} from '../../print/typed.ts';
import {nameProblem} from '../../resources/names.ts';
import type {Session} from '../../session.ts';
import {oneName} from './generator.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';

export const createToken: Command = {
  path: 'kubectl create token',
  short: 'Ask for a token of a service account',
  examples: ['kubectl create token robot', 'kubectl create token robot --duration=10m'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'audience', 'bound-object-kind', 'bound-object-name', 'bound-object-uid', 'duration'],
  check: oneName,
  run,
};

const BOUND: Readonly<Record<string, string>> = {Pod: 'v1', Secret: 'v1', Node: 'v1'};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const [name = ''] = args;
  if (name === '') return fail('service account name is required');
  const problem = problemOf(session);
  if (problem) return problem;
  const namespace = session.namespace();
  const api = session.api();
  if (namespace instanceof Failure) return namespace;
  if (api instanceof Failure) return api;
  const wrong = nameProblem(name);
  if (wrong) return fail(`failed to create token: ${wrong.message}`);
  const answer = await api.ask<AnyObject>({
    method: 'POST',
    path: pathOf(builtin('serviceaccounts'), namespace, name, 'token'),
    body: requestOf(session),
  });
  if (answer instanceof Failure)
    return answer.cause.type === 'status' ? fail(`failed to create token: ${answer.message}`) : answer;
  if (flags.text('output') === '') {
    const {token = ''} = (answer.status ?? {}) as {token?: string};
    if (token === '') return fail('failed to create token: no token in server response');
    // A file or a variable gets nothing but the token.
    await session.out(session.process.streams.get(1)?.isTerminal ? `${token}\n` : token);
    return undefined;
  }
  return printTyped(session, [answer]);
}

function problemOf({flags}: Session): Failure | undefined {
  const kind = flags.text('bound-object-kind');
  if (flags.duration('duration') < 0) return fail('--duration must be greater than or equal to 0');
  if (flags.duration('duration') % 1000 !== 0) return fail('duration cannot be expressed in units less than seconds');
  if (kind === '') {
    if (flags.text('bound-object-name') !== '')
      return fail('--bound-object-name can only be set if --bound-object-kind is provided');
    return flags.text('bound-object-uid') === ''
      ? undefined
      : fail('--bound-object-uid can only be set if --bound-object-kind is provided');
  }
  if (BOUND[kind] === undefined)
    return fail(`supported --bound-object-kind values are ${Object.keys(BOUND).toSorted().join(', ')}`);
  return flags.text('bound-object-name') === ''
    ? fail('--bound-object-name is required if --bound-object-kind is provided')
    : undefined;
}

function requestOf({flags}: Session): object {
  const kind = flags.text('bound-object-kind');
  const seconds = flags.duration('duration') / 1000;
  const uid = flags.text('bound-object-uid');
  const bound = {kind, apiVersion: BOUND[kind], name: flags.text('bound-object-name'), ...(uid === '' ? {} : {uid})};
  return {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {
      ...(flags.list('audience').length > 0 ? {audiences: flags.list('audience')} : {}),
      ...(seconds > 0 ? {expirationSeconds: seconds} : {}),
      ...(kind === '' ? {} : {boundObjectRef: bound}),
    },
  };
}
