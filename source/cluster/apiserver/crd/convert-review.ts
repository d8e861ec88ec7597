// What is sent to a webhook that converts custom resources, and what its answer means. A ConversionReview carries objects and the
// version that is wanted; the answer the same objects in that version, of which nothing may differ by which an object is known.
import {isFields} from '../../../api/meta/fields.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import type {Answer} from '../../../api/wire/http.ts';
import {aggregateText, FieldPath, type FieldError} from '../../../api/meta/field-error.ts';
import {annotations} from '../../../api/validation/metadata.ts';
import {labels, type Errors} from '../../../api/validation/rules.ts';
import {statusWords} from '../admission/webhooks/verdict.ts';
import {readText} from '../registry/schema.ts';

const GROUP = 'apiextensions.k8s.io';
const KNOWN = ['v1', 'v1beta1'];

/** The review of one object, in the first version of reviews that both sides know. */
export function conversionReview(
  object: AnyObject,
  wanted: {apiVersion: string; uid: string; reviews: readonly string[]},
): object {
  const {apiVersion, uid, reviews} = wanted;
  const version = reviews.find(each => KNOWN.includes(each)) ?? 'v1';
  return {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${version}`,
    request: {uid, desiredAPIVersion: apiVersion, objects: [object]},
  };
}

interface Response {
  readonly uid?: string;
  readonly convertedObjects?: readonly unknown[];
  readonly result?: {readonly status?: string; readonly message?: string};
}

interface Review {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: Response;
}

/** Reads an answer: the converted objects, or why there are none. */
export function convertedIn(answer: Answer, review: object): readonly unknown[] | string {
  if (answer.status >= 400 || answer.status < 200) return statusWords(answer);
  const body = typeof answer.body === 'string' ? readText(answer.body, 'application/json') : {value: answer.body};
  if ('error' in body) return `couldn't get version/kind; json parse error: ${body.error}`;
  const {apiVersion, request} = review as {apiVersion: string; request: {uid: string}};
  const given = (isFields(body.value) ? body.value : {}) as Review;
  const expected = `${apiVersion}, Kind=ConversionReview`;
  const got = `${given.apiVersion ?? ''}, Kind=${given.kind ?? ''}`;
  if (got !== expected) return `expected webhook response of ${expected}, got ${got}`;
  const {response} = given;
  if (!response) return 'no response provided';
  if (response.uid !== request.uid)
    return `expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(response.uid ?? '')}`;
  const {status = '', message = ''} = response.result ?? {};
  if (status !== 'Success') return message === '' ? `response.result.status was '${status}', not 'Success'` : message;
  return response.convertedObjects ?? [];
}

/** The object that came back, with the metadata of the one that was sent; or what is wrong with it. */
export function acceptConverted(sent: AnyObject, came: unknown, apiVersion: string): AnyObject | string {
  if (!isFields(came)) return 'returned invalid object at index 0: invalid kind';
  const object = came as unknown as AnyObject;
  if (object.apiVersion !== apiVersion) {
    const received = typeof came['apiVersion'] === 'string' ? came['apiVersion'] : '';
    return `returned invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${received})`;
  }
  const problem = otherObject(sent, object);
  if (problem !== undefined) return `returned invalid object: ${problem}`;
  const errors: FieldError[] = [];
  const {labels: own, annotations: notes} = object.metadata;
  checkMarks({own, notes}, errors);
  if (errors.length > 0) return `returned invalid metadata: ${aggregateText(errors)}`;
  const {labels: _labels, annotations: _annotations, ...rest} = sent.metadata;
  const metadata = {...rest, ...(own ? {labels: own} : {}), ...(notes ? {annotations: notes} : {})};
  return deepFreeze({...object, metadata} as AnyObject);
}

function otherObject(sent: AnyObject, {kind, metadata}: AnyObject): string | undefined {
  const pairs: readonly [string, string | undefined, string | undefined][] = [
    ['kind', kind, sent.kind],
    ['name', metadata?.name, sent.metadata.name],
    ['namespace', metadata?.namespace, sent.metadata.namespace],
    ['UID', metadata?.uid, sent.metadata.uid],
  ];
  const wrong = pairs.find(([, came, was]) => (came ?? '') !== (was ?? ''));
  return wrong && `must have the same ${wrong[0]}: ${wrong[1] ?? ''} != ${wrong[2] ?? ''}`;
}

type Marks = Readonly<Record<string, string>> | undefined;

function checkMarks({own, notes}: {own: Marks; notes: Marks}, errors: Errors): void {
  const path = new FieldPath('metadata');
  labels(own, path.child('labels'), errors);
  annotations(notes, path.child('annotations'), errors);
}
