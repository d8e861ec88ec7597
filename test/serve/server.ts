// A `crashloop serve` of the bundle, with a folder of its own and commands typed at it as a person would.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {request, type RequestOptions} from 'node:https';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parse} from 'yaml';

const bundle = resolve(import.meta.dirname, '../../dist/crashloop.js');

export interface Typed {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A running server. */
export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), 'crashloop-serve-'));
  readonly kubeconfig = join(this.folder, 'kubeconfig');
  readonly #tools: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  /** All that it printed. */
  printed = '';
  url = '';

  constructor(tools = '', env: Readonly<Record<string, string>> = {}) {
    this.#tools = tools;
    this.#env = env;
  }

  /** Starts it and waits for its line. */
  async start(...words: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [bundle, 'serve', ...words, '--kubeconfig', this.kubeconfig], {
      env: {...process.env, ...this.#env},
    });
    this.#child = child;
    await new Promise<void>((ready, failed) => {
      child.stdout.on('data', part => {
        this.printed += String(part);
        const found = /^ready (\S+)$/m.exec(this.printed);
        if (!found) return;
        this.url = found[1] ?? '';
        ready();
      });
      child.stderr.on('data', part => (this.printed += String(part)));
      child.on('exit', code => failed(new Error(`ended with ${code}: ${this.printed}`)));
    });
  }

  file(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Types a line. */
  type(line: string, input = ''): Typed {
    const env = {...process.env, PATH: `${this.#tools}:${process.env['PATH']}`, KUBECONFIG: this.kubeconfig, HOME: this.folder};
    const {stdout, stderr, status} = spawnSync('bash', ['-c', line], {
      cwd: this.folder,
      env,
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return {out: stdout, err: stderr, code: status};
  }

  /** Asks without kubectl, as the user of the kubeconfig. */
  ask(
    path: string,
    {method = 'GET', headers = {}, body = ''}: {method?: string; headers?: Record<string, string>; body?: string} = {},
  ) {
    return this.askAs(this.credentials, path, {method, headers, body});
  }

  askAs(
    tls: RequestOptions,
    path: string,
    {method, headers, body}: {method: string; headers: Record<string, string>; body: string},
  ) {
    return new Promise<{status: number; headers: Record<string, unknown>; text: string}>((done, failed) => {
      const asked = request(`${this.url}${path}`, {method, headers, ...tls}, answer => {
        let text = '';
        answer.on('data', part => (text += String(part)));
        answer.on('end', () => done({status: answer.statusCode ?? 0, headers: answer.headers, text}));
      });
      asked.on('error', failed);
      asked.end(body);
    });
  }

  /** What the kubeconfig holds, as TLS wants it. */
  get credentials(): {ca: Buffer; cert: Buffer; key: Buffer} {
    const {clusters, users} = parse(readFileSync(this.kubeconfig, 'utf8')) as {
      clusters: {cluster: Record<string, string>}[];
      users: {user: Record<string, string>}[];
    };
    const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
    return {
      ca: decode(clusters[0]?.cluster['certificate-authority-data']),
      cert: decode(users[0]?.user['client-certificate-data']),
      key: decode(users[0]?.user['client-key-data']),
    };
  }

  signal(signal: 'SIGUSR2'): void {
    this.#child?.kill(signal);
  }

  /** Its process. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Ends it as a person does; the exit code. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>(done => child.on('exit', done));
    child.kill(signal);
    const code = await ended;
    rmSync(this.folder, {recursive: true});
    return code;
  }
}
