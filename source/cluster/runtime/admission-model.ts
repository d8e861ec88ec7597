// A webhook's backend, as far as the API server can tell: it reads an AdmissionReview and allows, denies, or answers with a patch
// that puts labels and annotations on the object. Rules are data, as all of a model is.
import type {Answer, Request} from '../../api/wire/http.ts';

/** Objects that a rule is about; absent lists fit all. */
interface AdmissionMatch {
  /** Plural names, with the subresource after a slash: `pods`, `deployments/scale`. */
  readonly resources?: readonly string[];
  readonly operations?: readonly string[];
  readonly namespaces?: readonly string[];
  /** Only objects that lack this label. */
  readonly withoutLabel?: string;
}

export interface DenyRule extends AdmissionMatch {
  /** What the user reads; absent: no explanation. */
  readonly message?: string;
  readonly code?: number;
}

export interface PatchRule extends AdmissionMatch {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** How a backend answers; without rules it allows everything. */
export interface AdmissionModel {
  readonly deny?: readonly DenyRule[];
  readonly patch?: readonly PatchRule[];
  readonly warnings?: readonly string[];
  /** Logs a line for each request that it answers. */
  readonly log?: boolean;
}

/** The part of a review that a backend looks at. */
interface ReviewRequest {
  readonly uid: string;
  readonly operation: string;
  readonly resource: {readonly resource: string};
  readonly subResource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: Reviewed | null;
  readonly oldObject?: Reviewed | null;
}

interface Reviewed {
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** The review in a request, if it holds one. */
export function reviewIn(request: Request): ReviewRequest | undefined {
  const body = request.body as {readonly kind?: string; readonly request?: ReviewRequest} | undefined;
  return typeof body === 'object' && body.kind === 'AdmissionReview' ? body.request : undefined;
}

/** What the backend answers, and the line it would log. */
export function answerReview(model: AdmissionModel, review: ReviewRequest): {readonly answer: Answer; readonly line: string} {
  const denied = model.deny?.find(rule => fits(rule, review));
  const steps = denied ? [] : (model.patch ?? []).filter(rule => fits(rule, review)).flatMap(rule => patchOf(rule, review));
  const response = {
    uid: review.uid,
    allowed: denied === undefined,
    ...(denied ? {status: {...(denied.message ? {message: denied.message} : {}), code: denied.code ?? 403}} : {}),
    ...(steps.length > 0 ? {patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(steps), 'utf8').toString('base64')} : {}),
    ...(model.warnings ? {warnings: model.warnings} : {}),
  };
  const body = Object.freeze({apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: Object.freeze(response)});
  const place = [review.namespace, nameOf(review)].filter(Boolean).join('/');
  return {
    answer: {status: 200, headers: {'content-type': 'application/json'}, body},
    line: `${review.operation} ${resourceOf(review)} ${place}: ${denied ? 'denied' : 'allowed'}`,
  };
}

function resourceOf({resource, subResource}: ReviewRequest): string {
  return subResource ? `${resource.resource}/${subResource}` : resource.resource;
}

function nameOf({name, object}: ReviewRequest): string {
  return name || object?.metadata?.name || `${object?.metadata?.generateName ?? ''}*`;
}

function fits({resources, operations, namespaces, withoutLabel}: AdmissionMatch, review: ReviewRequest): boolean {
  return (
    (resources?.includes(resourceOf(review)) ?? true) &&
    (operations?.includes(review.operation) ?? true) &&
    (namespaces?.includes(review.namespace ?? '') ?? true) &&
    (withoutLabel === undefined || review.object?.metadata?.labels?.[withoutLabel] === undefined)
  );
}

type Step = {readonly op: 'add'; readonly path: string; readonly value: unknown};

function patchOf(rule: PatchRule, {object}: ReviewRequest): readonly Step[] {
  if (!object) return [];
  return (['labels', 'annotations'] as const).flatMap((field): readonly Step[] => {
    const wanted = Object.entries(rule[field] ?? {}).filter(([key, value]) => object.metadata?.[field]?.[key] !== value);
    if (wanted.length === 0) return [];
    if (!object.metadata?.[field]) return [{op: 'add', path: `/metadata/${field}`, value: Object.fromEntries(wanted)}];
    return wanted.map(([key, value]) => ({op: 'add', path: `/metadata/${field}/${escaped(key)}`, value}));
  });
}

/** A key as a step of a JSON pointer. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
