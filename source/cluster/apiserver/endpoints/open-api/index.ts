// OpenAPI: what each version's types and paths look like, for clients that check what they send (kubectl asks the third edition for the
// fields of an apply and whether a PATCH takes `fieldValidation`). The documents are walks over the types of api/schema.
//
// Parameters are described in the second edition alone, which has no bodies; extension servers have no documents.
import {deepFreeze} from '../../../../api/meta/object.ts';
import {sha512} from '../../../../api/meta/hash.ts';
import {proseOf} from '../../../../api/schema/descriptions.ts';
import type {Answer} from '../../../../api/wire/http.ts';
import {json} from '../../http/reply.ts';
import type {ServedFacts} from '../../registry/served.ts';
import {pathsOf, placeOf, queryWords} from './paths.ts';
import {schemasOf} from './schemas.ts';

type Document = Readonly<Record<string, unknown>>;

const INFO = {title: 'Kubernetes', version: '1.35'};

interface Made {
  readonly document: Document;
  readonly atMs: number;
}

/** Of each version its document; made when somebody asks. */
const documents = new WeakMap<readonly ServedFacts[], Map<string, Made>>();

/** What is asked for. */
export interface AskedDocument {
  readonly path: string;
  /** Of the document that the client was told of. */
  readonly hash: string | undefined;
  readonly nowMs: number;
}

/** Answers a path below /openapi; undefined when it is none, or when nothing of that name is served. */
export function answerOpenApi(all: readonly ServedFacts[], asked: AskedDocument): Answer | undefined {
  const {path, nowMs} = asked;
  if (!path.startsWith('/openapi/')) return undefined;
  if (path === '/openapi/v2')
    return shown(
      remembered(all, {name: 'v2', nowMs}, () => editionTwo(all)),
      {etag: `"${hashOf(all)}"`, vary: 'Accept-Encoding\nAccept'},
    );
  if (path === '/openapi/v3')
    return shown(
      remembered(all, {name: 'v3', nowMs}, () => index(all)),
      {'content-type': 'text/plain; charset=utf-8'},
    );
  const place = path.startsWith('/openapi/v3/') ? path.slice('/openapi/v3/'.length) : '';
  const own = all.filter(facts => placeOf(facts) === place);
  if (own.length === 0 && !otherPlaces(all).includes(place)) return undefined;
  return answerVersion(all, own, {...asked, place});
}

function answerVersion(
  all: readonly ServedFacts[],
  own: readonly ServedFacts[],
  {place, hash, nowMs}: AskedDocument & {readonly place: string},
): Answer {
  const current = hashOf(own);
  if (hash !== undefined && hash !== '' && hash !== current) return moved(placed(place, current));
  // Whoever knows the hash need never ask again.
  const forever = hash === current ? {'cache-control': 'public, immutable', expires: httpDate(nowMs + YEAR_MS)} : {};
  const made = remembered(all, {name: place, nowMs}, () => (own.length > 0 ? editionThree(own) : editionOfPath(place)));
  return shown(made, {etag: `"${current}"`, vary: 'Accept', ...forever});
}

const YEAR_MS = 365 * 86_400_000;

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

function shown({document, atMs}: Made, more: Readonly<Record<string, string>>): Answer {
  const {status, headers, body} = json(200, document);
  return {status, headers: {...headers, 'accept-ranges': 'bytes', 'last-modified': httpDate(atMs), ...more}, body};
}

function moved(location: string): Answer {
  const headers = {'cache-control': 'no-cache, private', 'content-type': 'text/html; charset=utf-8', location};
  return {status: 301, headers, body: `<a href="${location}">Moved Permanently</a>.\n\n`};
}

function remembered(
  all: readonly ServedFacts[],
  {name, nowMs}: {readonly name: string; readonly nowMs: number},
  make: () => Document,
): Made {
  const known = documents.get(all) ?? new Map<string, Made>();
  documents.set(all, known);
  const edition = `${isDescribed()} ${name}`;
  const made = known.get(edition) ?? {document: deepFreeze(make()), atMs: nowMs};
  known.set(edition, made);
  return made;
}

/** Goes up when these documents change though the facts do not: clients keep documents by their hash. */
const EDITION = 4;

/** Tells when a document is another one. */
function hashOf(own: readonly ServedFacts[]): string {
  return sha512(`${EDITION} ${INFO.version} ${isDescribed()} ${JSON.stringify(own)}`).toUpperCase();
}

function isDescribed(): boolean {
  return proseOf('io.k8s.api.core.v1.Pod') !== undefined;
}

/** Where each version's document lies. */
function index(all: readonly ServedFacts[]): Document {
  const paths: Record<string, unknown> = {};
  for (const place of [...new Set([...otherPlaces(all), ...all.map(placeOf)])].sort()) {
    const own = all.filter(facts => placeOf(facts) === place);
    paths[place] = {serverRelativeURL: placed(place, hashOf(own))};
  }
  return {paths};
}

function placed(place: string, hash: string): string {
  return `/openapi/v3/${place}?hash=${hash}`;
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
    parameters: queryWords(),
  };
}
