// Paths that are no resources: discovery, health, version, and what else a server says about itself.
import type {Answer} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import {json, NOT_FOUND_PAGE, text} from '../http/reply.ts';
import type {Refused} from '../http/refused.ts';
import {methodNotAllowed, noSuchResource} from '../../../api/meta/status.ts';
import {refuse} from '../http/refused.ts';
import {ISSUER} from '../settings.ts';
import type {Asked} from './asked.ts';
import {answerDiscovery} from './discovery.ts';
import {answerHealth} from './health.ts';
import type {Core} from '../core.ts';
import type {ServedFacts} from '../registry/served.ts';
import {metricsText} from './metrics.ts';
import {answerOpenApi} from './open-api/index.ts';

const everything = new WeakMap<readonly ServedFacts[], readonly ServedFacts[]>();

/** The facts of all that is served; the same list until a definition changes. */
function allFacts({builtin, definitions}: Core): readonly ServedFacts[] {
  const {facts} = definitions;
  if (facts.length === 0) return builtin;
  const known = everything.get(facts) ?? [...builtin, ...facts];
  everything.set(facts, known);
  return known;
}

const VERSION = Object.freeze({
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.4',
  gitCommit: 'unknown',
  gitTreeState: 'clean',
  buildDate: '2026-04-15T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
});

const OTHER_PATHS = [
  '/.well-known/openid-configuration',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openid/v1/jwks',
  '/readyz',
  '/version',
];

/** Answers a path. */
export function* answerPath(asked: Asked): Task<Answer | Refused | undefined> {
  const {core, info, request} = asked;
  const path = info.path.length > 1 ? info.path.replace(/\/+$/, '') : info.path;
  const discovered = answerDiscovery(core, path, request.headers?.['accept']);
  if (discovered) return request.method === 'GET' || request.method === 'HEAD' ? discovered : refuse(methodNotAllowed());
  const described = answerOpenApi(allFacts(core), {path, hash: info.query['hash'], nowMs: core.daemon.wall()});
  if (described) return described;
  const health = yield* answerHealth(core, path, info.query);
  if (health) return health;
  if (path === '/version') return json(200, VERSION);
  if (path === '/' || path === '') return json(200, {paths: rootPaths(asked)});
  if (path === '/metrics') return text(200, metricsText(core));
  if (path === '/.well-known/openid-configuration') return json(200, openIdConfiguration(asked));
  if (path === '/openid/v1/jwks') return json(200, {keys: []});
  return nothingAt(core, info.path);
}

/** Nobody serves a path: below a built-in group that is told by a Status, elsewhere by a page. */
export function nothingAt({builtin}: Core, path: string): Answer | Refused {
  const [, root, group = ''] = path.split('/', 3);
  const isGroup = root === 'apis' && group !== '' && builtin.some(facts => facts.group === group);
  const isBelow = isGroup || path.startsWith('/api/');
  return isBelow ? refuse(noSuchResource()) : NOT_FOUND_PAGE;
}

function rootPaths({core}: Asked): readonly string[] {
  const all = allFacts(core);
  const groups = all.map(each => each.group).filter(group => group !== '');
  const versions = all.filter(each => each.group !== '').map(each => `/apis/${each.group}/${each.version}`);
  return [
    ...new Set(['/api', '/api/v1', '/apis', '/apis/', ...groups.map(group => `/apis/${group}`), ...versions, ...OTHER_PATHS]),
  ].sort();
}

function openIdConfiguration({core}: Asked): unknown {
  const {advertiseAddress, port} = core.settings;
  return {
    issuer: ISSUER,
    jwks_uri: `https://${advertiseAddress}:${port}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}
