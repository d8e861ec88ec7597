// Who may use port 10250. A client certificate of an administrator's group is believed at once; for a bearer token the kubelet
// asks the API server, as itself, who that is (TokenReview) and whether they may (SubjectAccessReview on the node's metrics or
// proxy). Answers are kept for two minutes, as those of the webhook authorizer are.
import type {TokenReview} from '../../../api/kinds/authentication-v1.ts';
import type {SubjectAccessReview} from '../../../api/kinds/authorization-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Client} from '../../../client/client.ts';
import {create} from '../../../client/verbs.ts';

/** Decides, now or later. */
export type Authorize = (request: Request, decided: (verdict: Verdict) => void) => void;
export type Verdict = 'allowed' | 'unauthorized' | 'forbidden';

const KEPT_MS = 120_000;
const MASTERS: ReadonlySet<string> = new Set(['system:masters', 'kubeadm:cluster-admins']);
const tokenReviews = builtin('authentication.k8s.io', 'tokenreviews');
const accessReviews = builtin('authorization.k8s.io', 'subjectaccessreviews');

/** The kubelet's own judgement, for a node. */
export function authorizeBy(client: Client, node: string): Authorize {
  const known = new Map<string, {readonly verdict: Verdict; readonly until: number}>();
  return (request, decided) => {
    if (request.certificate?.organizations.some(name => MASTERS.has(name))) return decided('allowed');
    const token = /^Bearer (.+)$/.exec(request.headers?.['authorization'] ?? '')?.[1];
    if (token === undefined) return decided('unauthorized');
    const subresource = /^\/(stats|metrics)/.test(request.path) ? 'metrics' : 'proxy';
    const key = `${subresource} ${token}`;
    const {clock} = client.daemon;
    const before = known.get(key);
    if (before && before.until > clock.now) return decided(before.verdict);
    review(client, {token, node, subresource}, verdict => {
      if (known.size > 100) known.clear();
      known.set(key, {verdict, until: clock.now + KEPT_MS});
      decided(verdict);
    });
  };
}

interface Question {
  readonly token: string;
  readonly node: string;
  readonly subresource: string;
}

function review(client: Client, {token, node, subresource}: Question, decided: (verdict: Verdict) => void): void {
  const question = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: {token}};
  client.send<TokenReview>(create(tokenReviews, question), reviewed => {
    const user = reviewed.ok && reviewed.value.status?.authenticated ? reviewed.value.status.user : undefined;
    if (!user) return decided('unauthorized');
    const spec = {
      user: user.username ?? '',
      groups: user.groups ?? [],
      resourceAttributes: {verb: 'get', resource: 'nodes', subresource, name: node},
    };
    const access = {apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec};
    client.send<SubjectAccessReview>(create(accessReviews, access), answer =>
      decided(answer.ok && answer.value.status?.allowed ? 'allowed' : 'forbidden'),
    );
  });
}
