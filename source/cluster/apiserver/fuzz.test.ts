import fc from 'fast-check';
import {expect, test} from 'vitest';
import {RESOURCES} from '../../api/meta/resources.ts';
import {schemaOf, typeOfKind, type Schema} from '../../api/schema/index.ts';
import {apiVersionOf} from './registry/schema.ts';
import {ServerRoom} from './testing/server-room.ts';

// Whatever a client sends, the server answers: with a status that HTTP knows, as a Status where it failed, and it goes on answering.

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', ''];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const words = fc.constantFrom(
  'a',
  'web',
  '',
  '..',
  '%2e%2e',
  'default',
  'kube-system',
  '__proto__',
  'constructor',
  'ä',
  '*',
  'status',
  'scale',
  'é'.repeat(300),
);
const resources = fc.constantFrom(...RESOURCES);
const json = fc.jsonValue({maxDepth: 4});

const path = fc.oneof(
  fc.webPath(),
  fc.tuple(resources, words, words, words).map(([{group, version, resource, namespaced}, namespace, name, sub]) => {
    const head = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    return `${head}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}${name === '' ? '' : `/${name}`}${sub === '' ? '' : `/${sub}`}`;
  }),
  fc.array(words, {maxLength: 6}).map(parts => `/${parts.join('/')}`),
  fc.array(words, {maxLength: 3}).map(parts => `/openapi/v3/${parts.join('/')}`),
);
const query = fc.dictionary(
  fc.constantFrom(
    'dryRun',
    'fieldValidation',
    'labelSelector',
    'fieldSelector',
    'limit',
    'continue',
    'resourceVersion',
    'resourceVersionMatch',
    'timeoutSeconds',
    'propagationPolicy',
    'gracePeriodSeconds',
    'fieldManager',
    'force',
    '__proto__',
  ),
  fc.oneof(words, fc.string(), fc.constantFrom('All', 'Strict', '-1', '1e9', 'a in (', 'true')),
  {maxKeys: 4},
);

const RUNS = 400;
/** One server takes everything: what one request leaves behind is the next one's ground. */
const room = new ServerRoom();

function isSound(answer: {readonly status: number; readonly body?: unknown}): void {
  expect(Number.isInteger(answer.status) && answer.status >= 200 && answer.status < 600).toBe(true);
  const {body} = answer;
  if (answer.status >= 400 && typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status')
    expect(body).toMatchObject({status: 'Failure', code: answer.status});
}

test('any method on any path with any query and body is answered', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...METHODS),
      path,
      query,
      fc.option(json),
      fc.constantFrom(undefined, ...PATCHES, 'text/plain', 'application/yaml'),
      (method, at, asked, body, type) => {
        isSound(
          room.ask({
            method: method as 'GET',
            path: at,
            query: asked,
            ...(body === null ? {} : {body: type === undefined ? body : JSON.stringify(body)}),
            ...(type === undefined ? {} : {headers: {'content-type': type}}),
          }),
        );
      },
    ),
    {numRuns: RUNS, seed: 1},
  );
  expect(room.get('/readyz').status).toBe(200);
});

/** A value that looks like what a type wants, with something foreign in it now and then. */
function valueOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return json;
  const inner = schema.ref === undefined ? schema : schemaOf(schema.ref);
  const made = (): fc.Arbitrary<unknown> => {
    if (inner.properties) {
      const fields = Object.entries(inner.properties).map(
        ([name, field]) => [name, fc.option(valueOf(field, depth - 1), {nil: undefined, freq: 2})] as const,
      );
      return fc.record(Object.fromEntries(fields));
    }
    if (inner.type === 'array') return fc.array(valueOf(inner.items ?? {}, depth - 1), {maxLength: 2});
    if (inner.values) return fc.dictionary(fc.string({maxLength: 5}), valueOf(inner.values, depth - 1), {maxKeys: 2});
    if (inner.type === 'string')
      return inner.enum
        ? fc.constantFrom(...inner.enum)
        : fc.constantFrom('', 'a', '10', '1Gi', 'web', '2020-01-01T00:00:00Z', '10.0.0.1', 'x'.repeat(300));
    if (inner.type === 'integer') return fc.constantFrom(0, 1, -1, 80, 2 ** 31, 99_999);
    return inner.type === 'boolean' ? fc.boolean() : json;
  };
  return fc.oneof({weight: 12, arbitrary: made()}, {weight: 1, arbitrary: json});
}

const DEPTH = 4;
const creatable = RESOURCES.filter(({verbs}) => verbs.includes('create'));

test.each(creatable.map(facts => [`${facts.group}/${facts.version}/${facts.resource}`, facts] as const))(
  'objects of %s are judged, not choked on',
  (_name, facts) => {
    const {kind, namespaced, resource, version, group} = facts;
    const apiVersion = apiVersionOf(facts);
    const schema = schemaOf(typeOfKind(apiVersion, kind) ?? '');
    const {metadata: _metadata, ...properties} = schema.properties ?? {};
    const body = valueOf({...schema, properties}, DEPTH);
    const at = `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}${namespaced ? '/namespaces/default' : ''}/${resource}`;
    fc.assert(
      fc.property(body, value => {
        const object = {...(typeof value === 'object' ? value : {}), apiVersion, kind, metadata: {name: 'a'}};
        isSound(room.post(at, object));
        isSound(room.ask({method: 'PUT', path: `${at}/a`, body: object}));
        isSound(room.ask({method: 'PATCH', path: `${at}/a`, body: object, headers: {'content-type': PATCHES[1] ?? ''}}));
      }),
      {numRuns: 15, seed: 2},
    );
  },
);
