// Objects that a real v1.35 refused, and its words for each: the recordings of validation, played without a server. Steps
// that need a server's state (patches of stored objects, what is taken already) are the API server's own tests.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {fieldErrorText} from '../meta/field-error.ts';
import type {AnyObject} from '../meta/object.ts';
import {resourceOfKind} from '../meta/resources.ts';
import {applyDefaults, decodeKind, strictError} from '../schema/index.ts';
import {readYaml} from '../yaml/read.ts';
import {validate} from './index.ts';

const FOLDER = '../shared/golden/validation';

interface Recording {
  readonly title: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly run: string;
    readonly out?: string;
    readonly err?: string;
    readonly code?: number;
    readonly sort?: boolean;
  }[];
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
];

/** kubectl apply sends no nulls when it creates. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => part ?? undefined) as unknown;
}

function verdict(text: string, apply: boolean): string {
  const [document] = readYaml(text).documents;
  const draft = (apply ? withoutNulls(document?.value) : document?.value) as {apiVersion: string; kind: string; metadata: object};
  const resource = resourceOfKind(draft.apiVersion, draft.kind);
  if (!resource) return 'no such kind';
  const decoded = decodeKind(draft, draft);
  if (!decoded?.ok || decoded.problems.length > 0) {
    return `${draft.kind} in version "${resource.version}" cannot be handled as a ${draft.kind}: ${decoded?.ok ? strictError(decoded.problems) : decoded?.error}`;
  }
  const value = decoded.value as AnyObject;
  // What the registry does before it validates: a name from a prefix, and the namespace of the path or none.
  const {namespace = 'default', name: given, generateName, ...rest} = value.metadata;
  const name = given || !generateName ? given : `${generateName}sd27k`;
  const metadata = {...rest, name, ...(generateName ? {generateName} : {}), ...(resource.namespaced ? {namespace} : {})};
  const object = applyDefaults({...value, metadata: Object.freeze(metadata)});
  return [...new Set(validate(resource, object).map(fieldErrorText))].join('\n');
}

/** The list of errors in kubectl's message. */
function recorded(err: string): string | undefined {
  const bad = /cannot be handled as|is invalid: /.exec(err);
  if (!bad || err.startsWith('Warning')) return undefined;
  if (bad[0] !== 'is invalid: ') return err.slice(err.indexOf(': ', err.indexOf('when creating')) + 2).trim();
  const rest = err.slice(bad.index + bad[0].length).replace(/\n$/, '');
  return rest.startsWith('\n') ? rest.trim().replaceAll(/^\* /gm, '') : rest;
}

const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter(file => file.endsWith('.yaml') && !/^(crd|custom|admission|size)/.test(file))
  : [];

test.skipIf(files.length === 0).each(files.length === 0 ? ['none'] : files)('%s', name => {
  const recording = parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Recording;
  for (const {run, err = '', code, sort} of recording.steps) {
    const file = /^kubectl (?:apply|create) -f (\S+?)( --dry-run=server.*)?$/.exec(run)?.[1];
    const text = file === undefined ? undefined : recording.files?.[file];
    if (
      text === undefined ||
      NEEDS_STATE.some(words => err.includes(words)) ||
      err.startsWith('error:') ||
      err.includes('(Forbidden)')
    )
      continue;
    const expected = code === undefined ? '' : recorded(err);
    if (expected === undefined) continue;
    const lines = (all: string) => (sort ? all.split('\n').toSorted().join('\n') : all);
    expect.soft(lines(verdict(text, run.startsWith('kubectl apply'))), run).toBe(lines(expected));
  }
});
