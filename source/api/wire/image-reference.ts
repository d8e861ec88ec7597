// Image names as people write them (`nginx:1.27`) and as runtimes know them (`docker.io/library/nginx:1.27`).

/** A name taken apart. */
export interface ImageReference {
  /** As `docker.io`, `registry.k8s.io`, `localhost:5000`. */
  readonly registry: string;
  /** As `library/nginx`. */
  readonly path: string;
  /** Absent where only a digest is given. */
  readonly tag: string | undefined;
  readonly digest: string | undefined;
  /** `registry/path`. */
  readonly repository: string;
  /** The whole name in full. */
  readonly name: string;
}

const DOMAIN = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const INVALID = 'invalid reference format';

const known = new Map<string, ImageReference | {readonly error: string}>();

/** Reads an image name, or says why it is none, in the words of the reference library. */
export function parseImage(text: string): ImageReference | {readonly error: string} {
  const before = known.get(text);
  if (before) return before;
  const parsed = Object.freeze(read(text));
  if (known.size > 4096) known.clear();
  known.set(text, parsed);
  return parsed;
}

function read(text: string): ImageReference | {readonly error: string} {
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest))) return {error: INVALID};
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = first !== '' && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const registry = hasRegistry ? (first === 'index.docker.io' ? 'docker.io' : first) : 'docker.io';
  const rest = hasRegistry ? named.slice(slash + 1) : named;
  const colon = rest.lastIndexOf(':');
  const bare = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? undefined : rest.slice(colon + 1);
  const path = registry === 'docker.io' && !bare.includes('/') ? `library/${bare}` : bare;
  if (path.toLowerCase() !== path && wellFormed(path.toLowerCase(), registry, tag))
    return {error: `${INVALID}: repository name (${path}) must be lowercase`};
  if (!wellFormed(path, registry, tag)) return {error: INVALID};
  const shownTag = tag ?? (digest === undefined ? 'latest' : undefined);
  const repository = `${registry}/${path}`;
  return {
    registry,
    path,
    tag: shownTag,
    digest,
    repository,
    name: `${repository}${shownTag === undefined ? '' : `:${shownTag}`}${digest === undefined ? '' : `@${digest}`}`,
  };
}

function wellFormed(path: string, registry: string, tag: string | undefined): boolean {
  return DOMAIN.test(registry) && path.split('/').every(part => COMPONENT.test(part)) && (tag === undefined || TAG.test(tag));
}
