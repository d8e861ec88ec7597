// The controller's admission webhook: an Ingress may not claim a host and a path that another one has.
import type {Ingress} from '../../api/kinds/networking-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {JSON_TYPE, type Answer, type Request} from '../../api/wire/http.ts';

interface Review {
  readonly kind?: string;
  readonly request?: {readonly uid: string; readonly object?: Ingress | null};
}

/** Answers a review; `others` are the Ingresses that are the controller's, `isOurs` says whether a new one would be. */
export function review(request: Request, others: Iterable<Ingress>, isOurs: (ingress: Ingress) => boolean): Answer {
  const asked = request.body as Review | undefined;
  if (asked?.kind !== 'AdmissionReview' || !asked.request) return {status: 400, body: 'no admission review\n'};
  const {uid, object} = asked.request;
  const message = object && isOurs(object) ? clashOf(object, others) : undefined;
  const refusal = {metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400};
  const response = {uid, allowed: message === undefined, ...(message === undefined ? {} : {status: refusal})};
  return {
    status: 200,
    headers: {'content-type': JSON_TYPE},
    body: {kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response},
  };
}

function clashOf(ingress: Ingress, others: Iterable<Ingress>): string | undefined {
  const own = keyOf(ingress);
  const isCanary = ({metadata}: Ingress) => metadata.annotations?.['nginx.ingress.kubernetes.io/canary'] === 'true';
  if (isCanary(ingress)) return undefined;
  const wanted = [...claims(ingress)];
  for (const other of others) {
    if (keyOf(other) === own || isCanary(other)) continue;
    for (const {host, path} of claims(other)) {
      if (!wanted.some(each => each.host === host && each.path === path)) continue;
      return `host ${JSON.stringify(host)} and path ${JSON.stringify(path)} is already defined in ingress ${keyOf(other)}`;
    }
  }
  return undefined;
}

function* claims({spec}: Ingress): Generator<{readonly host: string; readonly path: string}> {
  for (const {host = '_', http} of spec.rules ?? [])
    for (const {path = '/'} of http?.paths ?? []) yield {host: host === '' ? '_' : host, path};
}
