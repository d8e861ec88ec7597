// The token subresource of service accounts: a token for some audiences, for some time, bound to an object or to nothing.
import type {TokenRequest} from '../../../api/kinds/authentication-v1.ts';
import {invalid} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, conflict, invalidObject, notFound} from '../../../api/meta/status.ts';
import {formatTime} from '../../../api/meta/time.ts';
import {admitValidating} from '../admission/chain.ts';
import type {BoundObject} from '../auth/tokens.ts';
import {AUDIENCES} from '../auth/authenticate.ts';
import type {Core} from '../core.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeBody} from '../registry/body.ts';
import {writeOf, type Handler} from './asked.ts';

const TOKEN_REQUEST = {group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest'};
const DEFAULT_SECONDS = 3600;
const LEAST_SECONDS = 600;
const WARNED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;
const MOST_SECONDS = 2 ** 32;
const BOUND_KINDS: Readonly<Record<string, string>> = {Pod: 'pods', Secret: 'secrets', Node: 'nodes'};

export const issueToken: Handler = function* (asked) {
  const {core, info, served} = asked;
  const write = writeOf(asked);
  const body = decodeBody(write, asked.request, TOKEN_REQUEST);
  if (body instanceof Refused) return body;
  const account = served.cache.get(`${info.namespace}/${info.name}`);
  if (!account) return refuse(notFound(served.facts, info.name));
  const request = body as unknown as TokenRequest;
  const seconds = request.spec.expirationSeconds ?? DEFAULT_SECONDS;
  const problem = checkSeconds(seconds);
  if (problem) return problem;
  const refused = yield* admitValidating({operation: 'CREATE', write, object: body, old: undefined});
  if (refused) return refused;
  const bound = findBound(core, request, info.namespace);
  if (bound instanceof Refused) return bound;
  const audiences = request.spec.audiences?.length ? request.spec.audiences : AUDIENCES;
  const now = core.daemon.wall();
  const issuedAt = Math.floor(now / 1000);
  // A kubelet's token for a pod holds longer than it says, so that programs that never read it again go on; it carries the time
  // from which that is worth a warning.
  const isExtended =
    seconds === WARNED_SECONDS && bound.bound?.kind === 'Pod' && audiences.every(each => AUDIENCES.includes(each));
  const token = core.tokens.issue({
    audiences,
    issuedAt,
    expiresAt: issuedAt + (isExtended ? EXTENDED_SECONDS : seconds),
    ...(isExtended ? {warnAfter: issuedAt + seconds} : {}),
    id: core.daemon.dice.uuid(),
    namespace: info.namespace,
    account: {name: account.metadata.name, uid: account.metadata.uid},
    ...bound,
  });
  write.note(info.name);
  const {name, namespace, uid} = account.metadata;
  return json(
    201,
    Object.freeze({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {name, namespace, uid, creationTimestamp: core.daemon.now()},
      spec: {audiences, expirationSeconds: seconds, boundObjectRef: request.spec.boundObjectRef ?? null},
      status: {token, expirationTimestamp: formatTime((issuedAt + seconds) * 1000)},
    }),
  );
};

function checkSeconds(seconds: number): Refused | undefined {
  const detail =
    seconds < LEAST_SECONDS
      ? 'may not specify a duration less than 10 minutes'
      : seconds > MOST_SECONDS
        ? 'may not specify a duration larger than 2^32 seconds'
        : '';
  return detail === ''
    ? undefined
    : refuse(invalidObject(TOKEN_REQUEST, '', [invalid('spec.expirationSeconds', seconds, detail)]));
}

type Bound = {bound?: BoundObject; node?: {name: string; uid: string}};

function findBound(core: Core, request: TokenRequest, namespace: string): Bound | Refused {
  const reference = request.spec.boundObjectRef;
  if (!reference) return {};
  const {kind = '', name = '', uid = ''} = reference;
  const resource = BOUND_KINDS[kind];
  if (resource === undefined)
    return refuse(
      badRequest(`cannot bind token for serviceaccount ${JSON.stringify(name)} to object of type ${JSON.stringify(kind)}`),
    );
  const {cache, facts} = core.resources.of(resource);
  const object = cache.get(kind === 'Node' ? name : `${namespace}/${name}`);
  if (!object) return refuse(notFound(facts, name));
  if (uid !== '' && uid !== object.metadata.uid) {
    return refuse(
      conflict(
        facts,
        name,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      ),
    );
  }
  const node = kind === 'Pod' ? nodeOfPod(core, object) : kind === 'Node' ? {name, uid: object.metadata.uid} : undefined;
  return {bound: {kind: kind as BoundObject['kind'], name, uid: object.metadata.uid}, ...(node ? {node} : {})};
}

function nodeOfPod(core: Core, pod: AnyObject): {name: string; uid: string} | undefined {
  const {nodeName} = (pod.spec ?? {}) as {readonly nodeName?: string};
  const node = nodeName ? core.resources.of('nodes').cache.get(nodeName) : undefined;
  return node && {name: node.metadata.name, uid: node.metadata.uid};
}
