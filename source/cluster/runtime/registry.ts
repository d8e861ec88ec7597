// An image registry: a server that knows repositories and tags, after the distribution API. Registries differ in what they say
// of a repository that is not there: most say 404, the big public one asks for rights that nobody has.
//
//     curl -s https://registry.local/v2/web/tags/list
import {parseImage} from '../../api/wire/image-reference.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {imageOf} from './catalogue/index.ts';
import type {Family} from './catalogue/family.ts';
import {listedTags} from './catalogue/tags.ts';
import {CONTENT, manifestOf, type CatalogueEntry, type Manifest} from './image.ts';

export interface RegistryOptions {
  readonly daemon: Daemon;
  /** The registry's name in images, as `registry.local` or `docker.io`. Entries of other registries are left out. */
  readonly name: string;
  readonly catalogue: readonly CatalogueEntry[];
  /** Repositories that are made as they are asked for, by path. */
  readonly families?: ReadonlyMap<string, Family>;
  /** Says 401 of repositories that it does not have. */
  readonly secretive?: boolean;
  readonly port?: number;
}

/** A running registry, for those who change what it holds (a level's fault). */
export interface Registry {
  add(entry: CatalogueEntry): void;
  remove(image: string): void;
}

/** What a registry holds: repositories, and the manifests of their tags. */
class Shelf {
  readonly #made = new Map<string, Map<string, Manifest | 'removed'>>();
  readonly #families: ReadonlyMap<string, Family>;

  constructor(families: ReadonlyMap<string, Family>) {
    this.#families = families;
  }

  get paths(): string[] {
    return [...new Set([...this.#made.keys(), ...this.#families.keys()])].sort();
  }

  has(path: string): boolean {
    return this.#made.has(path) || this.#families.has(path);
  }

  put(path: string, tag: string, manifest: Manifest | 'removed'): void {
    const tags = this.#made.get(path) ?? new Map<string, Manifest | 'removed'>();
    this.#made.set(path, tags.set(tag, manifest));
  }

  tags(path: string): string[] {
    const family = this.#families.get(path);
    const made = this.#made.get(path) ?? new Map<string, Manifest | 'removed'>();
    const all = new Set([...(family ? listedTags(family.tags) : []), ...made.keys()]);
    return [...all].filter(tag => made.get(tag) !== 'removed').sort();
  }

  find(path: string, tag: string): Manifest | undefined {
    const made = this.#made.get(path)?.get(tag);
    if (made) return made === 'removed' ? undefined : made;
    const family = this.#families.get(path);
    const entry = family && imageOf(family, tag);
    if (!entry) return undefined;
    const manifest = manifestOf(entry);
    this.put(path, tag, manifest);
    return manifest;
  }

  /**
   * What a digest beside a tag means. Nobody here knows the digests that the real registries have, so of a well-known repository a
   * tag that is there vouches for the digest that stands with it.
   */
  vouched(path: string, tag: string, digest: string): Manifest | undefined {
    const manifest = this.byDigest(path, digest);
    return manifest ?? (this.#families.has(path) ? this.find(path, tag) : undefined);
  }

  byDigest(path: string, digest: string): Manifest | undefined {
    for (const tag of this.tags(path)) {
      const manifest = this.find(path, tag);
      if (manifest?.[CONTENT].digest === digest) return manifest;
    }
    return undefined;
  }
}

/** Starts a registry on a machine. */
export function startRegistry(options: RegistryOptions): Registry {
  const {daemon, name, catalogue, families = new Map<string, Family>(), secretive = false, port = 443} = options;
  const shelf = new Shelf(families);
  const put = (image: string, manifest: () => Manifest | 'removed') => {
    const reference = parseImage(image);
    if ('error' in reference || reference.registry !== name || reference.tag === undefined) return;
    shelf.put(reference.path, reference.tag, manifest());
  };
  const registry: Registry = {
    add: entry => put(entry.image, () => manifestOf(entry)),
    remove: image => put(image, () => 'removed'),
  };
  for (const entry of catalogue) registry.add(entry);
  daemon.listen(port, call => call.answer(serve(shelf, call.request as Request, secretive)));
  return registry;
}

const VERSION = {'docker-distribution-api-version': 'registry/2.0'};

function serve(shelf: Shelf, request: Request, secretive: boolean): Answer {
  if (typeof request.path !== 'string') return failure(400, 'UNSUPPORTED', 'The operation is unsupported.');
  if (request.path === '/v2' || request.path === '/v2/') return {status: 200, headers: VERSION, body: {}};
  if (request.path === '/v2/_catalog') return {status: 200, headers: VERSION, body: {repositories: shelf.paths}};
  const parts = /^\/v2\/(.+)\/(tags|manifests)\/([^/]+)$/.exec(request.path);
  if (!parts) return failure(404, 'NAME_UNKNOWN', 'repository name not known to registry');
  if (request.method !== 'GET' && request.method !== 'HEAD') return failure(405, 'UNSUPPORTED', 'The operation is unsupported.');
  const [, path = '', what, wanted = ''] = parts;
  if (!shelf.has(path)) {
    return secretive
      ? failure(401, 'UNAUTHORIZED', 'authentication required')
      : failure(404, 'NAME_UNKNOWN', 'repository name not known to registry', {name: path});
  }
  if (what === 'tags') return {status: 200, headers: VERSION, body: {name: path, tags: shelf.tags(path)}};
  const [tag = '', digest] = wanted.split('@');
  const manifest =
    digest !== undefined
      ? shelf.vouched(path, tag, digest)
      : wanted.startsWith('sha256:')
        ? shelf.byDigest(path, wanted)
        : shelf.find(path, wanted);
  if (!manifest) return failure(404, 'MANIFEST_UNKNOWN', 'manifest unknown', {Tag: wanted});
  const headers = {...VERSION, 'content-type': manifest.mediaType, 'docker-content-digest': manifest[CONTENT].digest};
  return {status: 200, headers, ...(request.method === 'GET' ? {body: manifest} : {})};
}

function failure(status: number, code: string, message: string, detail?: unknown): Answer {
  return {status, headers: VERSION, body: {errors: [{code, message, ...(detail ? {detail} : {})}]}};
}
