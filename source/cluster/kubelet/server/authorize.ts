// Who may use port 10250. A client certificate counts if an authority of the kubelet's own file signed it, a bearer token if the API
// server says whose it is (TokenReview, asked as the node). What they may is asked of the API server too (SubjectAccessReview on the
// node's metrics or proxy); only the masters need not be asked for. A yes is kept for five minutes, a no for half of one.
import type {TokenReview} from '../../../api/kinds/authentication-v1.ts';
import type {SubjectAccessReview} from '../../../api/kinds/authorization-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {ClientCertificate} from '../../../api/pki/certificate.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Client} from '../../../client/client.ts';
import {create} from '../../../client/verbs.ts';

/** Decides, now or later. */
export type Authorize = (request: Request, decided: (verdict: Verdict) => void) => void;
export type Verdict = 'allowed' | 'unauthorized' | {readonly forbidden: string};

const ALLOWED_KEPT_MS = 300_000;
const REFUSED_KEPT_MS = 30_000;
const MASTERS = 'system:masters';
const EVERYBODY = 'system:authenticated';
const tokenReviews = builtin('authentication.k8s.io', 'tokenreviews');
const accessReviews = builtin('authorization.k8s.io', 'subjectaccessreviews');

/** The kubelet's own judgement, for a node; without authorities every certificate is believed. */
export function authorizeBy(client: Client, node: string, authorities: readonly string[] | undefined): Authorize {
  const known = new Map<string, {readonly verdict: Verdict; readonly until: number}>();
  const {clock, wall} = client.daemon;
  const isBelieved = ({authority, notBefore, notAfter}: ClientCertificate): boolean =>
    (authorities === undefined || authorities.includes(authority)) && wall() >= notBefore && wall() <= notAfter;
  return (request, decided) => {
    const {certificate} = request;
    if (certificate && !isBelieved(certificate)) return decided('unauthorized');
    if (certificate?.organizations.includes(MASTERS)) return decided('allowed');
    const token = /^Bearer (.+)$/.exec(request.headers?.['authorization'] ?? '')?.[1];
    if (!certificate && token === undefined) return decided('unauthorized');
    const subresource = /^\/(stats|metrics)/.test(request.path) ? 'metrics' : 'proxy';
    const verb = request.method === 'GET' ? 'get' : 'create';
    const key = `${verb} ${subresource} ${certificate?.commonName ?? token}`;
    const before = known.get(key);
    if (before && before.until > clock.now) return decided(before.verdict);
    const judged = (verdict: Verdict): void => {
      if (known.size > 100) known.clear();
      known.set(key, {verdict, until: clock.now + (verdict === 'allowed' ? ALLOWED_KEPT_MS : REFUSED_KEPT_MS)});
      decided(verdict);
    };
    const question = {client, node, verb, subresource};
    if (certificate) ask(question, {name: certificate.commonName, groups: certificate.organizations}, judged);
    else identify(question, token ?? '', judged);
  };
}

interface Question {
  readonly client: Client;
  readonly node: string;
  readonly verb: string;
  readonly subresource: string;
}

interface Caller {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whose is a token? Then as for everybody. */
function identify(question: Question, token: string, decided: (verdict: Verdict) => void): void {
  const body = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: {token}};
  question.client.send<TokenReview>(create(tokenReviews, body), reviewed => {
    const user = reviewed.ok && reviewed.value.status?.authenticated ? reviewed.value.status.user : undefined;
    if (user) ask(question, {name: user.username ?? '', groups: user.groups ?? []}, decided);
    else decided('unauthorized');
  });
}

function ask({client, node, verb, subresource}: Question, {name, groups}: Caller, decided: (verdict: Verdict) => void): void {
  const spec = {
    user: name,
    groups: [...groups, ...(groups.includes(EVERYBODY) ? [] : [EVERYBODY])],
    resourceAttributes: {verb, resource: 'nodes', subresource, name: node},
  };
  const access = {apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec};
  client.send<SubjectAccessReview>(create(accessReviews, access), answer => {
    if (answer.ok && answer.value.status?.allowed) decided('allowed');
    else decided({forbidden: `Forbidden (user=${name}, verb=${verb}, resource=nodes, subresource(s)=[${subresource}])`});
  });
}
