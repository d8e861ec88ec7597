// From a request's body to an object of the kind that the path names: media type, kind, unknown fields, types, defaults.
import {jsonKind} from '../../../api/meta/go-text.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {isFields} from '../../../api/meta/fields.ts';
import {badRequest, tooLarge, unsupportedMediaType, type Failure} from '../../../api/meta/status.ts';
import type {Request} from '../../../api/wire/http.ts';
import {refuse, Refused} from '../http/refused.ts';
import {readRequest} from './read-ahead.ts';
import {decode, type TypedKind} from './schema.ts';
import type {Write} from './write.ts';

const MOST_BYTES = 3 * 1024 * 1024;
const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** A body as a value, with the keys that stood twice where it was text. */
export interface BodyValue {
  readonly value: unknown;
  readonly duplicates?: WeakMap<object, readonly string[]>;
  /** What was wrong already where the value comes from. */
  readonly problems?: readonly string[];
  /** The value came of a strategic merge patch. */
  readonly converter?: boolean;
}

/** The body as a value: frozen objects pass as they are, text is read as its media type says. */
export function bodyValue(request: Request, kind: string, isCustom = false): BodyValue | Refused {
  const type = mediaType(request);
  if (type !== 'application/json' && type !== 'application/yaml') return refuse(unsupportedMediaType(BODY_TYPES));
  const {body} = request;
  if (typeof body !== 'string' && body !== undefined) {
    return isHuge(kind, body, isCustom) ? refuse(tooLarge(MOST_BYTES)) : {value: body};
  }
  const text = body ?? '';
  if (text.length > MOST_BYTES) return refuse(tooLarge(MOST_BYTES));
  const read = readRequest(request, type);
  if (!('error' in read)) return read;
  return refuse(unrecognized(kind, read.error, text));
}

function unrecognized(kind: string, why: string, text: string): Failure {
  const head = `the object provided is unrecognized (must be of type ${kind})`;
  return badRequest(`${head}: couldn't get version/kind; json parse error: ${why} (${summary(text)})`);
}

const WITH_KIND = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Why nobody can tell what kind of object a value is. */
function kindProblem(value: unknown): string | undefined {
  if (!isFields(value)) return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${WITH_KIND}`;
  for (const field of ['apiVersion', 'kind']) {
    const word = value[field];
    if (word === undefined || word === null || typeof word === 'string') continue;
    return `json: cannot unmarshal ${jsonKind(word)} into Go struct field .${field} of type string`;
  }
  return undefined;
}

/** Objects that travel as they are have no size on the way; those that may be large are measured. */
function isHuge(kind: string, body: unknown, isCustom: boolean): boolean {
  if (isCustom) return JSON.stringify(body).length > MOST_BYTES;
  if ((kind !== 'ConfigMap' && kind !== 'Secret') || typeof body !== 'object' || body === null) return false;
  const {data, binaryData} = body as {readonly data?: unknown; readonly binaryData?: unknown};
  let size = 0;
  for (const part of [data, binaryData]) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, text] of Object.entries(part)) size += key.length + (typeof text === 'string' ? text.length : 0);
  }
  return size > MOST_BYTES;
}

const SHOWN = 30;

/** The beginning of a body, as errors show it: text where it looks like JSON, else its bytes. */
function summary(text: string): string {
  if (text === '') return '<empty>';
  const dots = text.length > SHOWN ? ' ...' : '';
  const head = text.slice(0, SHOWN);
  return `${text.startsWith('{') ? head : Buffer.from(head, 'utf8').toString('hex')}${dots}`;
}

/** The media type of a body; JSON when the client does not say. */
export function mediaType(request: Request): string {
  const type = request.headers?.['content-type'];
  return type === undefined ? 'application/json' : (type.split(';')[0]?.trim() ?? '');
}

/** Decodes a body for a write; what is wrong but tolerated becomes warnings. */
export function decodeBody(write: Write, request: Request, kind: TypedKind): AnyObject | Refused {
  const body = bodyValue(request, kind.kind, kind.custom !== undefined);
  if (body instanceof Refused) return body;
  if (body.value === null) return decodeValue(write, {...body, value: {}}, kind);
  const problem = kindProblem(body.value);
  if (problem === undefined || kind.custom) return decodeValue(write, body, kind);
  const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  return refuse(unrecognized(kind.kind, problem, text));
}

/** Decodes a value for a write. */
export function decodeValue(
  write: Pick<Write, 'fieldValidation' | 'warnings'>,
  body: BodyValue,
  kind: TypedKind,
): AnyObject | Refused {
  const decoded = decode(kind, body.value, body);
  if ('error' in decoded) return refuse(badRequest(decoded.error));
  const problems = body.problems ? [...body.problems, ...decoded.problems] : decoded.problems;
  if (problems.length > 0) {
    if (write.fieldValidation === 'Strict') {
      const head = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
      return refuse(badRequest(`${head}: strict decoding error: ${problems.join(', ')}`));
    }
    if (write.fieldValidation !== 'Ignore') {
      const said = new Set(write.warnings);
      for (const problem of new Set(problems)) if (!said.has(problem)) write.warnings.push(problem);
    }
  }
  return decoded.object;
}
