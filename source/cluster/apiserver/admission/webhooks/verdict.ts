// What a webhook's answer means: allowed, denied with a Status, a patch, or nothing that one could understand. A webhook that
// could not be called, or that talks nonsense, is for the failure policy; a denial is for the client.
import type {Status} from '../../../../api/kinds/meta.ts';
import {failure, type Failure} from '../../../../api/meta/status.ts';
import {genericFailure, saidIn} from '../../../../api/wire/generic-failure.ts';
import type {Answer} from '../../../../api/wire/http.ts';
import {readText} from '../../registry/schema.ts';
import type {Hook} from './hooks.ts';

/** A webhook was not reached, or made no sense: the words for it. */
export class CallFailure {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** What a webhook said. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  readonly warnings: readonly string[];
  /** The text of a JSON patch; undefined for none. */
  readonly patch: string | undefined;
  readonly patchType: string | undefined;
}

interface Response {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<Status>;
  readonly warnings?: readonly string[];
  readonly patch?: string;
  readonly patchType?: string;
}

/** Reads an answer. */
export function readVerdict({stage}: Hook, answer: Answer, uid: string): Verdict | CallFailure {
  if (answer.status >= 400 || answer.status < 200) return new CallFailure(`failed to call webhook: ${statusWords(answer)}`);
  if (answer.body === undefined || answer.body === '') {
    const type = answer.headers?.['content-type'] ?? '';
    return new CallFailure(
      `failed to call webhook: 0-length response with status code: ${answer.status} and content type: ${type}`,
    );
  }
  const body = typeof answer.body === 'string' ? readText(answer.body, 'application/json') : {value: answer.body};
  if ('error' in body)
    return new CallFailure(`failed to call webhook: couldn't get version/kind; json parse error: ${body.error}`);
  const review = (body.value ?? {}) as {readonly apiVersion?: string; readonly kind?: string; readonly response?: Response};
  if (review.kind === 'AdmissionReview' && review.apiVersion === 'admission.k8s.io/v1beta1')
    return new CallFailure(
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    );
  const problem = wrongReview(review, stage, uid);
  if (problem !== undefined) return new CallFailure(`received invalid webhook response: ${problem}`);
  const {allowed = false, status, warnings = [], patch = '', patchType} = review.response ?? {};
  return {allowed, status, warnings, patch: patch === '' ? undefined : Buffer.from(patch, 'base64').toString('utf8'), patchType};
}

function wrongReview(
  {apiVersion = '', kind = '', response}: {readonly apiVersion?: string; readonly kind?: string; readonly response?: Response},
  stage: Hook['stage'],
  uid: string,
): string | undefined {
  if (!response) return 'webhook response was absent';
  if (response.uid !== uid) return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`;
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview')
    return `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;
  const {patch, patchType} = response;
  if (stage === 'validating') {
    if (patch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (patch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!patch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

/** What a client makes of an answer that is no success. */
export function statusWords(answer: Answer): string {
  const given = answer.body as {readonly kind?: string; readonly message?: string} | undefined;
  if (typeof given === 'object' && given.kind === 'Status' && given.message) return given.message;
  return genericFailure(answer.status, saidIn(answer)).message;
}

/** The Status of a request that a webhook denied. */
export function denial(name: string, {status = {}}: Verdict): Failure {
  const {message = '', reason = '', code = 0, details} = status;
  const head = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message || reason;
  return failure(Math.max(code, 400), reason, {
    message: why === '' ? `${head} without explanation` : `${head}: ${why}`,
    ...(details ? {details} : {}),
  });
}
