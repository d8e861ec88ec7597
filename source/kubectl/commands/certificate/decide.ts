// `kubectl certificate approve` and `deny`: what somebody decides on a request for a certificate.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {formatTime} from '../../../api/meta/time.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {printResult} from '../result.ts';

/** One decision. */
interface Decision {
  readonly condition: 'Approved' | 'Denied';
  /** Who decided so cannot decide otherwise. */
  readonly excludes: 'Approved' | 'Denied';
  readonly word: 'approved' | 'denied';
  readonly reason: string;
  readonly message: string;
}

const APPROVAL: Decision = {
  condition: 'Approved',
  excludes: 'Denied',
  word: 'approved',
  reason: 'KubectlApprove',
  message: 'This CSR was approved by kubectl certificate approve.',
};

const DENIAL: Decision = {
  condition: 'Denied',
  excludes: 'Approved',
  word: 'denied',
  reason: 'KubectlDeny',
  message: 'This CSR was denied by kubectl certificate deny.',
};

const REQUEST = 'CertificateSigningRequest';
const GROUP = 'certificates.k8s.io';

/** How often a decision that came too late is sent anew. */
const MOST_TRIES = 10;

const does = [...COMMON_FLAGS, ...FILE_FLAGS, ...PRINT_FLAGS, 'force'];

export const approve: Command = {
  path: 'kubectl certificate approve',
  short: 'Approve requests for certificates',
  examples: ['kubectl certificate approve nina'],
  does,
  run: session => run(session, APPROVAL),
};

export const deny: Command = {
  path: 'kubectl certificate deny',
  short: 'Deny requests for certificates',
  examples: ['kubectl certificate deny nina'],
  does,
  run: session => run(session, DENIAL),
};

async function run(session: Session, decision: Decision): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length === 0 && !session.hasFiles) return fail('one or more CSRs must be specified as <name> or -f <filename>');
  const selected = await select(session, {
    args: args.length === 0 || args.some(arg => arg.includes('/')) ? args : ['certificatesigningrequests', ...args],
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
    clusterScoped: true,
  });
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => decide(session, found, decision)));
}

async function decide(session: Session, {kind, name, object}: Found, decision: Decision): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  if (kind.kind !== REQUEST || kind.group !== GROUP)
    return fail(
      `can only handle ${REQUEST}.${GROUP} objects, got ${[kind.kind, kind.group].filter(word => word !== '').join('.')}`,
    );
  let there: AnyObject | Failure | undefined = object;
  for (let tries = 0; there && !(there instanceof Failure); tries++) {
    const request = there as unknown as CertificateSigningRequest;
    const other = request.status?.conditions?.find(({type}) => type === decision.excludes);
    if (other) return fail(`certificate signing request ${JSON.stringify(name)} is already ${other.type}`);
    const isDecided = request.status?.conditions?.some(({type}) => type === decision.condition) ?? false;
    if (isDecided && !session.flags.on('force')) return printResult(session, there, decision.word);
    const body = withCondition(request, decision, session.now);
    const answer = await api.ask<AnyObject>({method: 'PUT', path: pathOf(kind, undefined, name, 'approval'), body});
    if (!(answer instanceof Failure)) return printResult(session, answer, decision.word);
    if (!answer.is('Conflict') || tries >= MOST_TRIES) return answer;
    there = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, undefined, name)});
  }
  return there instanceof Failure ? there : undefined;
}

function withCondition(
  request: CertificateSigningRequest,
  {condition, reason, message}: Decision,
  now: number,
): CertificateSigningRequest {
  const lastUpdateTime = formatTime(now);
  const kept = (request.status?.conditions ?? []).filter(({type}) => type !== condition);
  const conditions = [
    ...kept,
    {type: condition, status: 'True', reason, message, lastUpdateTime, lastTransitionTime: lastUpdateTime},
  ];
  return {...request, status: {...request.status, conditions}};
}
