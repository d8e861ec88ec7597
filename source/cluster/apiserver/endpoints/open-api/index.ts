// OpenAPI: what each version's types and paths look like, for clients that check what they send (kubectl asks the third edition for the
// fields of an apply and whether a PATCH takes `fieldValidation`). The documents are walks over the types of api/schema.
//
// They have no responses, and of each operation only its kind and its parameters; extension servers have none.
import {deepFreeze} from '../../../../api/meta/object.ts';
import {sha256} from '../../../../api/meta/hash.ts';
import {proseOf} from '../../../../api/schema/descriptions.ts';
import type {Answer} from '../../../../api/wire/http.ts';
import {json} from '../../http/reply.ts';
import type {ServedFacts} from '../../registry/served.ts';
import {pathsOf, placeOf} from './paths.ts';
import {schemasOf} from './schemas.ts';

type Document = Readonly<Record<string, unknown>>;

const INFO = {title: 'Kubernetes', version: '1.35'};
/** Of each version its document and its hash; made when somebody asks. */
const documents = new WeakMap<readonly ServedFacts[], Map<string, Document>>();

/** Answers a path below /openapi; undefined when it is none, or when nothing of that name is served. */
export function answerOpenApi(all: readonly ServedFacts[], path: string): Answer | undefined {
  if (!path.startsWith('/openapi/')) return undefined;
  if (path === '/openapi/v2')
    return json(
      200,
      remembered(all, 'v2', () => editionTwo(all)),
    );
  if (path === '/openapi/v3')
    return json(
      200,
      remembered(all, 'v3', () => index(all)),
    );
  const place = path.startsWith('/openapi/v3/') ? path.slice('/openapi/v3/'.length) : '';
  const own = all.filter(facts => placeOf(facts) === place);
  if (own.length === 0 && !otherPlaces(all).includes(place)) return undefined;
  return json(
    200,
    remembered(all, place, () => (own.length > 0 ? editionThree(own) : editionOfPath(place))),
  );
}

function remembered(all: readonly ServedFacts[], name: string, make: () => Document): Document {
  const known = documents.get(all) ?? new Map<string, Document>();
  documents.set(all, known);
  const made = known.get(name) ?? deepFreeze(make());
  known.set(name, made);
  return made;
}

/** Goes up when these documents change though the facts do not: clients keep documents by their hash. */
const EDITION = 2;

/** Where each version's document lies; the hash tells when it is another one. */
function index(all: readonly ServedFacts[]): Document {
  const paths: Record<string, unknown> = {};
  const isDescribed = proseOf('io.k8s.api.core.v1.Pod') !== undefined;
  for (const place of [...new Set([...otherPlaces(all), ...all.map(placeOf)])].sort()) {
    const own = all.filter(facts => placeOf(facts) === place);
    const hash = sha256(`${EDITION} ${INFO.version} ${isDescribed} ${JSON.stringify(own)}`).toUpperCase();
    paths[place] = {serverRelativeURL: `/openapi/v3/${place}?hash=${hash}`};
  }
  return {paths};
}

const SINGLE_PATHS = ['.well-known/openid-configuration', 'api', 'apis', 'openid/v1/jwks', 'version'];

/** Paths with documents of their own that are no version's: groups, and what the server says of itself. */
function otherPlaces(all: readonly ServedFacts[]): readonly string[] {
  return [...SINGLE_PATHS, ...all.filter(({group}) => group !== '').map(({group}) => `apis/${group}`)];
}

function editionOfPath(place: string): Document {
  return {
    openapi: '3.0.0',
    info: INFO,
    paths: {[`/${place}/`]: {get: {responses: {'200': {description: 'OK'}}}}},
    components: {},
  };
}

function editionThree(all: readonly ServedFacts[]): Document {
  const schemas = schemasOf(all, '#/components/schemas/');
  return {openapi: '3.0.0', info: INFO, paths: pathsOf(all, true), components: {schemas}};
}

function editionTwo(all: readonly ServedFacts[]): Document {
  return {
    swagger: '2.0',
    info: {...INFO, version: 'v1.35.4'},
    paths: pathsOf(all, false),
    definitions: schemasOf(all, '#/definitions/'),
  };
}
