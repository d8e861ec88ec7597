// An image registry: a server that knows repositories and tags, after the distribution API. Registries differ in what they say
// of a repository that is not there: most say 404, the big public one asks for rights that nobody has.
//
//     curl -s https://registry.local/v2/web/tags/list
import {parseImage} from '../../api/wire/image-reference.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {CONTENT, manifestOf, type CatalogueEntry, type Manifest} from './image.ts';

export interface RegistryOptions {
  readonly daemon: Daemon;
  /** The registry's name in images, as `registry.local` or `docker.io`. Entries of other registries are left out. */
  readonly name: string;
  readonly catalogue: readonly CatalogueEntry[];
  /** Says 401 of repositories that it does not have. */
  readonly secretive?: boolean;
  readonly port?: number;
}

/** A running registry, for those who change what it holds (a level's fault). */
export interface Registry {
  add(entry: CatalogueEntry): void;
  remove(image: string): void;
}

/** Starts a registry on a machine. */
export function startRegistry(options: RegistryOptions): Registry {
  const {daemon, name, catalogue, secretive = false, port = 443} = options;
  const repositories = new Map<string, Map<string, Manifest>>();
  const registry: Registry = {
    add(entry) {
      const reference = parseImage(entry.image);
      if ('error' in reference || reference.registry !== name || reference.tag === undefined) return;
      const tags = repositories.get(reference.path) ?? new Map<string, Manifest>();
      repositories.set(reference.path, tags);
      tags.set(reference.tag, manifestOf(entry));
    },
    remove(image) {
      const reference = parseImage(image);
      if (!('error' in reference) && reference.tag !== undefined) repositories.get(reference.path)?.delete(reference.tag);
    },
  };
  for (const entry of catalogue) registry.add(entry);
  daemon.listen(port, call => call.answer(serve(repositories, call.request as Request, secretive)));
  return registry;
}

const VERSION = {'docker-distribution-api-version': 'registry/2.0'};

function serve(repositories: ReadonlyMap<string, ReadonlyMap<string, Manifest>>, request: Request, secretive: boolean): Answer {
  if (typeof request.path !== 'string') return failure(400, 'UNSUPPORTED', 'The operation is unsupported.');
  if (request.path === '/v2' || request.path === '/v2/') return {status: 200, headers: VERSION, body: {}};
  if (request.path === '/v2/_catalog')
    return {status: 200, headers: VERSION, body: {repositories: [...repositories.keys()].sort()}};
  const parts = /^\/v2\/(.+)\/(tags|manifests)\/([^/]+)$/.exec(request.path);
  if (!parts) return failure(404, 'NAME_UNKNOWN', 'repository name not known to registry');
  if (request.method !== 'GET' && request.method !== 'HEAD') return failure(405, 'UNSUPPORTED', 'The operation is unsupported.');
  const [, path = '', what, wanted = ''] = parts;
  const tags = repositories.get(path);
  if (!tags) {
    return secretive
      ? failure(401, 'UNAUTHORIZED', 'authentication required')
      : failure(404, 'NAME_UNKNOWN', 'repository name not known to registry', {name: path});
  }
  if (what === 'tags') return {status: 200, headers: VERSION, body: {name: path, tags: [...tags.keys()].sort()}};
  const manifest = wanted.startsWith('sha256:') ? byDigest(tags, wanted) : tags.get(wanted);
  if (!manifest) return failure(404, 'MANIFEST_UNKNOWN', 'manifest unknown', {Tag: wanted});
  const headers = {...VERSION, 'content-type': manifest.mediaType, 'docker-content-digest': manifest[CONTENT].digest};
  return {status: 200, headers, ...(request.method === 'GET' ? {body: manifest} : {})};
}

function byDigest(tags: ReadonlyMap<string, Manifest>, digest: string): Manifest | undefined {
  for (const manifest of tags.values()) if (manifest[CONTENT].digest === digest) return manifest;
  return undefined;
}

function failure(status: number, code: string, message: string, detail?: unknown): Answer {
  return {status, headers: VERSION, body: {errors: [{code, message, ...(detail ? {detail} : {})}]}};
}
