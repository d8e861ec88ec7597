// Objects that a real v1.35 refused, and its words for each: the recordings of validation, played without a server. Steps
// that need more of a server's state (what is taken already, what a controller did) are the API server's own tests.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {fieldErrorText} from '../meta/field-error.ts';
import type {AnyObject} from '../meta/object.ts';
import {RESOURCES, resourceOfKind, type ResourceFacts} from '../meta/resources.ts';
import {applyDefaults, decodeKind, schemaOf, strictError, typeOfKind} from '../schema/index.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch} from '../schema/merge/index.ts';
import {readYaml} from '../yaml/read.ts';
import {validate} from './index.ts';

const FOLDER = '../shared/golden/validation';

interface Step {
  readonly run: string;
  readonly out?: string;
  readonly err?: string;
  readonly code?: number;
  readonly sort?: boolean;
}

interface Recording {
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

// What only a server with a state can say.
const NEEDS_STATE = [
  'not configured on this cluster',
  'not configured for dual-stack',
  'failed to allocate IP',
  'provided port is',
  'not auto-generated',
  'no kind "',
  'unknown conversion',
  'first value must match `clusterIP`',
];

// Patches of objects that a controller, a finalizer or the registry has changed in between.
const NEEDS_MORE = /cm held|pvc claim|svc first|creationTimestamp/;

interface Verdict {
  readonly text: string;
  readonly object?: AnyObject;
}

/** kubectl apply sends no nulls when it creates. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => part ?? undefined) as unknown;
}

/** Decodes, names, completes and validates, as the registry does. */
function judge(draft: {apiVersion: string; kind: string; metadata: object}, before?: AnyObject): Verdict {
  const resource = resourceOfKind(draft.apiVersion, draft.kind);
  if (!resource) return {text: 'no such kind'};
  const decoded = decodeKind(draft, draft);
  if (!decoded?.ok || (decoded.problems.length > 0 && !before)) {
    const why = decoded?.ok ? strictError(decoded.problems) : decoded?.error;
    return {text: `${draft.kind} in version "${resource.version}" cannot be handled as a ${draft.kind}: ${why}`};
  }
  const value = decoded.value as AnyObject;
  // A name from a prefix, the namespace of the path or none, and what a stored object has.
  const {namespace = 'default', name: given, generateName, ...rest} = value.metadata;
  const name = given || !generateName ? given : `${generateName}sd27k`;
  const own = {uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-30T04:20:20Z'};
  const metadata = {...own, ...rest, name, ...(generateName ? {generateName} : {}), ...(resource.namespaced ? {namespace} : {})};
  const object = withAccount(applyDefaults({...value, metadata: Object.freeze(metadata)}));
  const errors = validate(resource, object, before);
  return {text: [...new Set(errors.map(fieldErrorText))].join('\n'), object};
}

/** Admission names the account of a pod before it is judged. */
function withAccount(object: AnyObject): AnyObject {
  if (object.kind !== 'Pod') return object;
  return {...object, spec: {serviceAccount: 'default', serviceAccountName: 'default', ...(object.spec as object)}};
}

/** The list of errors in kubectl's message. */
function recorded(err: string): string | undefined {
  const bad = /cannot be handled as|is invalid: /.exec(err);
  if (!bad || err.startsWith('Warning')) return undefined;
  if (bad[0] !== 'is invalid: ') return err.slice(err.indexOf(': ', err.indexOf('when creating')) + 2).trim();
  const rest = err.slice(bad.index + bad[0].length).replace(/\n$/, '');
  return rest.startsWith('\n') ? rest.trim().replaceAll(/^\* /gm, '') : rest;
}

const store = new Map<string, AnyObject>();

function created({run}: Step, files: Readonly<Record<string, string>>): Verdict | undefined {
  const file = /^kubectl (?:apply|create) -f (\S+?)( --dry-run=server.*)?$/.exec(run)?.[1];
  const text = file === undefined ? undefined : files[file];
  if (text === undefined) return undefined;
  const [document] = readYaml(text).documents;
  const draft = (run.startsWith('kubectl apply') ? withoutNulls(document?.value) : document?.value) as AnyObject;
  return judge(draft);
}

/** `kubectl patch`, as the server applies it. */
function patched({run}: Step): Verdict | undefined {
  const found = /^kubectl patch (\S+) (\S+)(?: --type=(\w+))? -p '([^']*)'$/.exec(run);
  if (!found || NEEDS_MORE.test(run)) return undefined;
  const [, kind = '', name = '', type = 'strategic', text = ''] = found;
  const resource = RESOURCES.find(one => [one.resource, one.singular, ...one.shortNames].includes(kind));
  const before = resource && store.get(`${resource.resource}/${name}`);
  if (!resource || !before) return undefined;
  const after = applyPatch({resource, before}, type, JSON.parse(text));
  return after === undefined ? undefined : judge(after as AnyObject, before);
}

function applyPatch({resource, before}: {resource: ResourceFacts; before: AnyObject}, type: string, patch: unknown): unknown {
  if (type === 'merge') return applyMergePatch(before, patch);
  const schema = schemaOf(typeOfKind(before.apiVersion, resource.kind) ?? '');
  const result = type === 'json' ? applyJsonPatch(before, patch as never) : applyStrategicPatch(before, patch as never, schema);
  return 'value' in result ? result.value : undefined;
}

const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter(file => file.endsWith('.yaml') && !/^(crd|custom|admission|size|not-an)/.test(file))
  : [];

test.skipIf(files.length === 0).each(files.length === 0 ? ['none'] : files)('%s', name => {
  const recording = parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Recording;
  store.clear();
  for (const step of recording.steps) {
    const {run, err = '', code, sort} = step;
    const verdict = created(step, recording.files ?? {}) ?? patched(step);
    if (!verdict || NEEDS_STATE.some(words => err.includes(words)) || err.startsWith('error:') || err.includes('(Forbidden)'))
      continue;
    const expected = code === undefined ? '' : recorded(err);
    if (expected === undefined) continue;
    const lines = (all: string) => (sort ? all.split('\n').toSorted().join('\n') : all);
    // The picture of a difference is not part of the comparison.
    const bare = (all: string) => lines(all).replaceAll(/\n@@[^]*$/g, '');
    expect.soft(bare(verdict.text), run).toBe(bare(expected));
    const {object} = verdict;
    const resource = object && resourceOfKind(object.apiVersion, object.kind);
    if (object && resource && code === undefined) store.set(`${resource.resource}/${object.metadata.name}`, object);
  }
});
