// The images of one node, and how they come there: the registry is asked for the manifest under the tag (resolve), then the
// layers take their time over the wire. The texts of failure are containerd's.
import type {CriError, ImageStatus} from '../../api/wire/cri.ts';
import {parseImage, type ImageReference} from '../../api/wire/image-reference.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Failure} from '../../sim/network.ts';
import {sleep, wait, type Task} from '../../sim/task.ts';
import {CONTENT, type ImageContent, type Manifest} from './image.ts';

/** Bytes that arrive in a millisecond: a gigabit a second. */
const BYTES_PER_MS = 125_000;
const TIMEOUT_MS = 30_000;
const UNRESOLVED = 'no such host';
const WORDS: Readonly<Record<Failure, string>> = {
  refused: 'connect: connection refused',
  reset: 'connect: connection reset by peer',
  closed: 'EOF',
  unresolved: UNRESOLVED,
};

interface Stored {
  readonly content: ImageContent;
  readonly repository: string;
  readonly tags: Set<string>;
  readonly inert: boolean;
}

/** What a pull needs of the machine it runs on. */
export interface PullSurroundings {
  readonly daemon: Daemon;
  /** The address of a name, as the node resolves it; absent: `dial` takes names. */
  readonly resolve?: (name: string) => string | undefined;
}

/** The images of a node; they outlive containerd. */
export class ImageStore {
  readonly #images = new Map<string, Stored>();
  readonly #byName = new Map<string, Stored>();
  readonly #isComponent: (repository: string) => boolean;

  constructor(isComponent: (repository: string) => boolean) {
    this.#isComponent = isComponent;
  }

  /** What is in an image, by any of its names; undefined when it is not here. */
  find(image: string): {readonly content: ImageContent; readonly repository: string; readonly name: string} | undefined {
    const reference = parseImage(image);
    const stored = 'error' in reference ? this.#images.get(image) : (this.#byName.get(reference.name) ?? this.#images.get(image));
    if (!stored) return undefined;
    const [first = stored.repository] = stored.tags;
    return {content: stored.content, repository: stored.repository, name: 'error' in reference ? first : reference.name};
  }

  status(image: string): ImageStatus | undefined {
    const reference = parseImage(image);
    const stored = this.#images.get(image) ?? ('error' in reference ? undefined : this.#byName.get(reference.name));
    return stored && statusOf(stored);
  }

  list(): ImageStatus[] {
    return [...this.#images.values()].map(statusOf);
  }

  /** Removes an image with all its tags. */
  remove(image: string): readonly string[] {
    const found = this.status(image);
    if (!found) return [];
    this.#images.delete(found.id);
    for (const name of [...found.tags, ...found.digests]) this.#byName.delete(name);
    return found.tags;
  }

  /** Puts an image here that came with the machine. */
  add(reference: ImageReference, content: ImageContent): ImageStatus {
    const {repository} = reference;
    const inert =
      content.program !== undefined &&
      content.program.needs === undefined &&
      (content.modelFor === undefined || content.reads !== undefined) &&
      content.program.tls === undefined &&
      !this.#isComponent(repository);
    const stored = this.#images.get(content.configDigest) ?? {content, repository, tags: new Set<string>(), inert};
    if (reference.tag !== undefined) stored.tags.add(`${repository}:${reference.tag}`);
    this.#images.set(content.configDigest, stored);
    for (const name of [reference.name, `${repository}@${content.digest}`]) {
      const before = this.#byName.get(name);
      if (before && before !== stored) before.tags.delete(name);
      this.#byName.set(name, stored);
    }
    return statusOf(stored);
  }

  /** Pulls an image. */
  *pull(image: string, {daemon, resolve}: PullSurroundings): Task<ImageStatus | CriError> {
    const reference = parseImage(image);
    if ('error' in reference) return refused('InvalidArgument', `failed to parse image reference "${image}": ${reference.error}`);
    const whole = (why: string) => `failed to pull and unpack image "${reference.name}": failed to resolve image: ${why}`;
    const host = hostOf(reference.registry);
    const path = `/v2/${reference.path}/manifests/${wantedOf(reference)}`;
    const url = `https://${host.name}${path}`;
    const address =
      host.bare === 'localhost' ? '127.0.0.1' : resolve && !/^[\d.]+$/.test(host.bare) ? resolve(host.bare) : host.bare;
    const doing = (why: string) => refused('Unknown', whole(`failed to do request: Head "${url}": ${why}`));
    const nowhere = `dial tcp: lookup ${host.bare} on 127.0.0.1:53: no such host`;
    if (address === undefined) return doing(nowhere);
    const answer = yield* fetch(
      daemon,
      {address, port: host.port},
      {method: 'GET', scheme: 'https', path, headers: {host: host.name}},
    );
    if (answer === UNRESOLVED) return doing(nowhere);
    if (typeof answer === 'string') return doing(`dial tcp ${address}:${host.port}: ${answer}`);
    if (answer.status === 404) return refused('NotFound', whole(`${reference.name}: not found`));
    if (answer.status === 401 || answer.status === 403) {
      const why = 'pull access denied, repository does not exist or may require authorization';
      return refused('Unknown', whole(`${why}: server message: insufficient_scope: authorization failed`));
    }
    if (answer.status !== 200)
      return refused('Unknown', whole(`unexpected status from HEAD request to ${url}: ${answer.status}`));
    const content = (answer.body as Manifest)[CONTENT];
    if (!this.#images.has(content.configDigest)) yield* sleep(30 + content.bytes / BYTES_PER_MS);
    return this.add(reference, content);
  }
}

/** What the registry is asked for: a tag or a digest; where a name has both, both, as the registry says why. */
function wantedOf({tag, digest}: ImageReference): string {
  return digest === undefined ? (tag ?? 'latest') : `${tag === undefined ? '' : `${tag}@`}${digest}`;
}

function statusOf(stored: Stored): ImageStatus {
  const {content, repository, tags, inert} = stored;
  return {
    id: content.configDigest,
    tags: [...tags],
    digests: [`${repository}@${content.digest}`],
    size: content.bytes,
    user: content.user ?? '',
    inert,
  };
}

function hostOf(registry: string): {name: string; bare: string; port: number} {
  const name = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const [bare = name, port] = name.split(':');
  return {name, bare, port: port === undefined ? 443 : Number(port)};
}

/** One request; the words of the failure where there is no answer. */
function* fetch(daemon: Daemon, to: {readonly address: string; readonly port: number}, request: Request): Task<Answer | string> {
  return yield* wait<Answer | string>((wake, scope) => {
    const caller = daemon.dial(to.address, to.port, request, {
      answer: answer => finish(answer as Answer),
      end: failure => finish(WORDS[failure ?? 'closed']),
    });
    const timer = scope.after(TIMEOUT_MS, () => {
      caller.cancel();
      wake('i/o timeout');
    });
    const finish = (result: Answer | string) => {
      scope.clock.cancel(timer);
      wake(result);
    };
  });
}

function refused(code: CriError['error']['code'], message: string): CriError {
  return {error: {code, message}};
}
