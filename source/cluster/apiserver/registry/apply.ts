// Server-side apply: the fourth kind of patch. What is applied is laid over the object, or makes it; who owns what else is asked first.
//
// kubectl's old way of applying kept what it had applied in an annotation. Who comes from there, as `kubectl`, meets no conflict about
// fields that are still as he had applied them, and the annotation is kept up for those who still use the old way.
import {jsonKind} from '../../../api/meta/go-text.ts';
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, failure, plainError} from '../../../api/meta/status.ts';
import type {Request} from '../../../api/wire/http.ts';
import {
  applying,
  compare,
  configErrors,
  conflictsText,
  errorsText,
  listOfOwners,
  ownersIn,
  ownerText,
  pathText,
  stillAsApplied,
  updatedOwners,
  type Conflict,
  type Owners,
} from '../../../api/schema/ownership/index.ts';
import {holds} from '../../../api/schema/ownership/field-set.ts';
import type {Task} from '../../../sim/task.ts';
import {endPiece} from '../http/large.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeValue} from './body.ts';
import {emptyObject, ignoredBy, shapeOf, writerOf} from './ownership.ts';
import {readRequest} from './read-ahead.ts';
import {apiVersionOf, readText, type TextRead} from './schema.ts';
import type {Write} from './write.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const OLD_WAY_ENDS = 'kubectl';
const NOTHING: TextRead = Object.freeze({value: undefined});
const BEFORE = 'before-first-apply';

/** What a request applies, as it came. */
export function configOf(write: Write, request: Request): Fields | Refused {
  const {facts} = write.served;
  const config = bodyOf(request);
  if (config instanceof Refused) return config;
  const {apiVersion, metadata} = config;
  const expected = apiVersionOf(facts);
  if (apiVersion !== expected) {
    const given = typeof apiVersion === 'string' ? apiVersion : '';
    const why = `incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${expected}`;
    return refuse(badRequest(why));
  }
  if (isFields(metadata) && metadata['managedFields'] !== undefined && metadata['managedFields'] !== null)
    return refuse(badRequest('metadata.managedFields must be nil'));
  const errors = configErrors(shapeOf(facts), config);
  if (errors.length === 0) return config;
  return refuse(plainError(`failed to create typed patch object (${nameOf(write, config)}): ${errorsText(errors)}`));
}

function bodyOf(request: Request): Fields | Refused {
  const read: TextRead = request.body === undefined ? NOTHING : readRequest(request, 'application/yaml');
  if ('error' in read) return refuse(badRequest(`error decoding YAML: ${read.error}`));
  const {value = null} = read;
  if (isFields(value)) return value;
  if (value === null) return {};
  const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
  return refuse(badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`));
}

/** `default/web; apps/v1, Kind=Deployment`. */
function nameOf({info, served}: Write, config: Fields): string {
  const {namespace, name} = isFields(config['metadata']) ? config['metadata'] : {};
  const place = typeof namespace === 'string' ? namespace : served.facts.namespaced ? info.namespace : '';
  const {group, version, kind} = served.facts;
  return `${place}/${typeof name === 'string' ? name : ''}; ${group}/${version}, Kind=${kind}`;
}

/** The object with a configuration applied; `old` is undefined when it is to be made. */
export function applyTo(write: Write, config: Fields, old: AnyObject | undefined): AnyObject | Refused {
  const steps = applySteps(write, config, old);
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** The same as a task, whose steps are pieces of work where much is applied. */
export function* applyLarge(write: Write, config: Fields, old: AnyObject | undefined): Task<AnyObject | Refused> {
  const steps = applySteps(write, config, old);
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
    yield* endPiece(write.core.daemon);
  }
}

function* applySteps(write: Write, config: Fields, old: AnyObject | undefined): Generator<void, AnyObject | Refused> {
  const {facts} = write.served;
  const live: Fields = old ?? {...emptyObject(facts), apiVersion: apiVersionOf(facts), kind: facts.kind};
  const force = write.info.query['force'];
  const done = yield* attempt(write, {config, live, old}, force === 'true' || force === '1');
  if (done instanceof Refused) return done;
  const value =
    write.manager === OLD_WAY_ENDS && write.trackedAs === undefined ? withLastApplied(done.value, config) : done.value;
  yield;
  const decoded = decodeValue(write, {value}, facts);
  if (decoded instanceof Refused) return decoded;
  return {...decoded, metadata: {...decoded.metadata, managedFields: listOfOwners(done.owners)}};
}

interface Attempt {
  readonly config: Fields;
  readonly live: Fields;
  readonly old: AnyObject | undefined;
}

type Attempted = {readonly value: unknown; readonly owners: Owners} | Refused;

function* attempt(write: Write, step: Attempt, force: boolean): Generator<void, Attempted> {
  const {config, live, old} = step;
  const shape = shapeOf(write.served.facts);
  const owners = ownersBefore(write, old);
  yield;
  const outcome = yield* applying({
    shape,
    live,
    config,
    force,
    owners,
    writer: writerOf(write),
    ignored: ignoredBy(write),
    time: write.core.daemon.now(),
  });
  if (!('conflicts' in outcome)) return outcome;
  if (write.manager !== OLD_WAY_ENDS || !old) return conflicting(outcome.conflicts);
  const still = lastAppliedOf(write, old);
  const fields = still && stillAsApplied(shape, still, live);
  const left = fields ? outcome.conflicts.filter(({path}) => !holds(fields, path)) : outcome.conflicts;
  return left.length > 0 ? conflicting(left) : yield* attempt(write, step, true);
}

/** Who owned the object. Where nobody is known, all that is there was there before the first apply. */
function ownersBefore(write: Write, old: AnyObject | undefined): Owners {
  if (!old) return [];
  const owners = ownersIn(old.metadata.managedFields);
  if (owners.length > 0) return owners;
  const {facts} = write.served;
  return updatedOwners([], {
    writer: {...writerOf(write), manager: BEFORE, operation: 'Update'},
    comparison: compare(shapeOf(facts), emptyObject(facts), old),
    ignored: ignoredBy(write),
    time: write.core.daemon.now(),
  });
}

function conflicting(conflicts: readonly Conflict[]): Refused {
  const causes = conflicts.map(({owner, path}) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: pathText(path),
  }));
  return refuse(failure(409, 'Conflict', {message: conflictsText(conflicts), details: {causes}}));
}

function lastAppliedOf(write: Write, old: AnyObject): Fields | undefined {
  const text = old.metadata.annotations?.[LAST_APPLIED];
  const read = text === undefined ? undefined : readText(text, 'application/json');
  if (!read || 'error' in read || !isFields(read.value)) return undefined;
  return read.value['apiVersion'] === apiVersionOf(write.served.facts) ? read.value : undefined;
}

/** The object with its annotation made new, where it has one. */
function withLastApplied(value: unknown, config: Fields): unknown {
  const {metadata} = value as {readonly metadata?: {readonly annotations?: Readonly<Record<string, string>>}};
  if (metadata?.annotations?.[LAST_APPLIED] === undefined) return value;
  const annotations = {...metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(sorted(bare(config)))}\n`};
  return {...(value as Fields), metadata: {...metadata, annotations}};
}

function bare(config: Fields): Fields {
  const metadata = isFields(config['metadata']) ? config['metadata'] : {};
  if (!isFields(metadata['annotations'])) return config;
  const {annotations, ...rest} = metadata;
  const {[LAST_APPLIED]: _last, ...others} = annotations as Fields;
  return {...config, metadata: Object.keys(others).length > 0 ? {...rest, annotations: others} : rest};
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map(key => [key, sorted(value[key])]),
  );
}
