// One run of kubectl: the process that it is, its flags, and what it has found out so far (whom to ask, what is served).
import type {Process} from '../sim/process/process.ts';
import {connectionOf, namespaceOf} from './config/connection.ts';
import {Failure} from './failure.ts';
import type {Values} from './flags/values.ts';
import {Api} from './request/api.ts';
import {discover} from './request/discovery.ts';
import {Trace} from './request/trace.ts';
import type {FileSource} from './resources/files.ts';
import {findKind, othersOfShortName, qualifiedName, type KindInfo, type Kinds} from './resources/kinds.ts';

/** Commands that find the server before their namespace: a context that is not there is told in the words of the first. */
const CONNECT_FIRST =
  /^kubectl (apply|auth can-i|autoscale|certificate \w+|cordon|create( .*)?|diff|drain|expose|replace|set env|uncordon|wait)$/;

/** What a command is given. */
export class Session {
  readonly process: Process;
  readonly flags: Values;
  /** What `-v` tells. */
  readonly trace: Trace;
  #api: Api | undefined;
  #kinds: Kinds | undefined;
  #schemaIndex: unknown;

  constructor(process: Process, flags: Values) {
    this.process = process;
    this.flags = flags;
    this.trace = new Trace(process, flags.number('v'));
  }

  get args(): readonly string[] {
    return this.flags.args;
  }

  /** What `-f` and `-k` name. */
  get files(): readonly FileSource[] {
    const folder = this.flags.has('kustomize') ? [{kustomization: this.flags.text('kustomize')}] : [];
    return [...this.flags.list('filename'), ...folder];
  }

  /** Does the command line name files? */
  get hasFiles(): boolean {
    return this.flags.list('filename').length > 0 || this.flags.has('kustomize');
  }

  /** Milliseconds since 1970, as this machine has it. */
  get now(): number {
    return this.process.machine.wall();
  }

  async out(text: string): Promise<void> {
    await this.process.out(text);
  }

  async err(text: string): Promise<void> {
    await this.process.err(text);
  }

  /** The namespace that the command works in. */
  namespace(): string | Failure {
    const namespace = namespaceOf(this.process, this.flags);
    if (!(namespace instanceof Failure) || !CONNECT_FIRST.test(this.flags.command.path)) return namespace;
    const api = this.api();
    return api instanceof Failure ? api : namespace;
  }

  /** The server. */
  api(): Api | Failure {
    if (this.#api) return this.#api;
    const connection = connectionOf(this.process, this.flags);
    if (connection instanceof Failure) return connection;
    this.#api = new Api(this.process, connection, this.trace);
    return this.#api;
  }

  /** How many warnings the server has sent. */
  get warnings(): number {
    return this.#api?.warnings ?? 0;
  }

  /** What the server serves. Words that it must know make it ask again when the kept answer does not know them. */
  async kinds(words: readonly string[] = [], tries?: number): Promise<Kinds | Failure> {
    const api = this.api();
    if (api instanceof Failure) return api;
    const options = {flags: this.flags, ...(tries === undefined ? {} : {tries})};
    if (!this.#kinds) {
      const known = await discover(this.process, api, options);
      if (known instanceof Failure) return known;
      this.#kinds = known;
    }
    const {all} = this.#kinds;
    const isKnown = (word: string) =>
      findKind({all, versions: []}, word) !== undefined || all.some(kind => kind.categories.includes(word));
    if (words.every(isKnown)) return this.#told(this.#kinds, words);
    const fresh = await discover(this.process, api, {...options, fresh: true});
    if (fresh instanceof Failure) return fresh;
    this.#kinds = fresh;
    return this.#told(fresh, words);
  }

  /** A short name of several kinds means the first; it is said which others it could mean. */
  async #told(kinds: Kinds, words: readonly string[]): Promise<Kinds> {
    for (const word of words)
      for (const other of othersOfShortName(kinds, word))
        await this.err(
          `Warning: short name ${JSON.stringify(word)} could also match lower priority resource ${qualifiedName(other)}\n`,
        );
    return kinds;
  }

  /** What the server says of its schemas; asked once. */
  async schemaIndex(): Promise<unknown> {
    const api = this.api();
    if (api instanceof Failure) return api;
    this.#schemaIndex ??= await api.ask({method: 'GET', path: '/openapi/v3', query: {timeout: '32s'}}, {timeoutMs: 32_000});
    return this.#schemaIndex;
  }

  /** Asks for what is served once more. */
  async freshKinds(): Promise<Kinds | Failure> {
    const api = this.api();
    if (api instanceof Failure) return api;
    const fresh = await discover(this.process, api, {flags: this.flags, fresh: true});
    if (!(fresh instanceof Failure)) this.#kinds = fresh;
    return fresh;
  }
}

/** An object of a kind, where it is. */
export interface Place {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
}
