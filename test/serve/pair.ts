// Two clusters with the same seed and the same clock: at one the real kubectl is typed, through a TLS port; at the other ours, in the
// player's shell. Nothing of what they print is normalised, but for the one thing that must differ: the server's address.
//
// Time stands still while a line runs, but for what requests take; before each line both clusters go to the same full second. They
// begin in the past, so that lines need not wait for the host: only where the real kubectl counts ages by the host's clock (`host`)
// do they go to the second that it shows.
import {spawn} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Request} from '../../source/api/wire/http.ts';
import {makeIdentity} from '../../source/serve/identity.ts';
import {kubeconfigText} from '../../source/serve/kubeconfig.ts';
import {Port} from '../../source/serve/port.ts';
import {PRESETS} from '../../source/world/presets.ts';
import {World} from '../../source/world/world.ts';

const LAPTOP = '10.0.0.100';
const PLAYER = {user: 'kubernetes-admin', groups: ['system:masters'], namespace: '', files: {}, allowed: []};
const HUNG_MS = 20_000;
/** Lines in which the real kubectl reads the host's clock. */
const HOST_TIMES = /kubectl (describe|events|debug|rollout restart)|server-print=false/;
/** A second is young until then. */
const LATE_MS = 500;

/** What a line came to. */
export interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  /** What was asked of the server: method, path with query, and body. */
  readonly asked: readonly string[];
}

export interface PairOptions {
  readonly tools: string;
  readonly seed?: number;
  /** How old the clusters are at the first line, in milliseconds. */
  readonly ageMs?: number;
}

/** A cluster twice. */
export class Pair {
  readonly folder = mkdtempSync(join(tmpdir(), 'crashloop-pair-'));
  readonly #tools: string;
  readonly #theirs: World;
  readonly #ours: World;
  readonly #port: Port;
  #server = '';
  #asked = {theirs: [] as string[], ours: [] as string[]};

  private constructor({tools}: PairOptions, theirs: World, ours: World) {
    this.#tools = tools;
    this.#theirs = theirs;
    this.#ours = ours;
    const identity = makeIdentity('pair', PLAYER, Date.now() - 86_400_000);
    theirs.pump.speed = 0;
    const failed = (error: unknown) => {
      throw error;
    };
    this.#port = new Port({world: theirs, identity, port: 0, hostNow: () => performance.now(), failed});
    this.#listen(identity);
  }

  #listen(identity: ReturnType<typeof makeIdentity>): void {
    mkdirSync(join(this.folder, '.kube'));
    const write = (server: string) =>
      writeFileSync(join(this.folder, '.kube/config'), kubeconfigText({server, user: PLAYER.user, namespace: '', identity}), {
        mode: 0o600,
      });
    const {request} = this.#theirs;
    this.#theirs.request = (asked, receiver) => {
      this.#asked.theirs.push(requestText(asked));
      return request.call(this.#theirs, asked, receiver);
    };
    const {network} = this.#ours.physics;
    const {call} = network;
    network.call = (from, to, port, asked, receiver) => {
      if (from === LAPTOP && isRequest(asked)) this.#asked.ours.push(requestText(asked));
      return call.call(network, from, to, port, asked, receiver);
    };
    this.#write = write;
  }

  #write: (server: string) => void = () => undefined;

  static async open(options: PairOptions): Promise<Pair> {
    const {seed = 7, ageMs = 1_800_000} = options;
    const startMs = Math.floor((Date.now() - ageMs) / 1000) * 1000;
    const description = {
      seed,
      startMs,
      nodes: PRESETS.trio,
      kubeadm: true,
      metricsServer: true,
      images: [],
      programs: {},
      objects: [],
      player: PLAYER,
    };
    const open = () => World.open({description, hostNow: () => performance.now()});
    const pair = new Pair(options, await open(), await open());
    const number = await pair.#port.open();
    pair.#server = `https://127.0.0.1:${number}`;
    pair.#write(pair.#server);
    return pair;
  }

  /** A file for both. */
  file(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), {recursive: true});
    writeFileSync(join(this.folder, name), text);
    const mode = text.startsWith('#!') ? 0o755 : 0o644;
    chmodSync(join(this.folder, name), mode);
    this.#ours.player.writeFile(name, text);
    this.#ours.player.machine.files.place(`${this.#ours.player.home}/${name}`, text, mode);
  }

  /** Lets time pass in both. */
  async advance(ms: number): Promise<void> {
    await this.#runTo(fullSecond(this.#wall + ms));
  }

  get #wall(): number {
    return Math.max(this.#theirs.wall, this.#ours.wall);
  }

  async #runTo(wall: number): Promise<void> {
    for (const world of [this.#theirs, this.#ours]) if (world.wall < wall) await world.advance(wall - world.wall);
  }

  /** To the next full second, but for a second that the host has not reached: later lines may need the host's. */
  async #align(): Promise<void> {
    const next = fullSecond(this.#wall + 1);
    const isEarly = this.#wall % 1000 < LATE_MS;
    await this.#runTo(next <= Date.now() || !isEarly ? next : this.#wall);
  }

  /** To the second that the host shows, while it is young; whoever is late is waited for. */
  async #alignWithHost(): Promise<void> {
    const isYoung = () => Date.now() % 1000 < LATE_MS && this.#wall <= Date.now();
    for (;;) {
      while (!isYoung())
        await new Promise(resolve => setTimeout(resolve, fullSecond(Math.max(Date.now(), this.#wall)) - Date.now() + 2));
      const second = Math.floor(Date.now() / 1000) * 1000;
      await this.#runTo(second);
      if (Date.now() < second + LATE_MS) return;
    }
  }

  /** Types a line into both at once; with a speed time passes also while the real kubectl waits. */
  async type(line: string, {speed = 0, host = HOST_TIMES.test(line)} = {}): Promise<{theirs: Said; ours: Said}> {
    await (host ? this.#alignWithHost() : this.#align());
    const [theirs, ours] = await Promise.all([this.#typeReal(line, speed), this.#typeOurs(line)]);
    return {theirs, ours};
  }

  async #typeReal(line: string, speed: number): Promise<Said> {
    this.#asked.theirs = [];
    this.#theirs.pump.speed = speed;
    const env = {
      PATH: `${this.#tools}:${process.env['PATH'] ?? ''}`,
      HOME: this.folder,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      EDITOR: 'vi',
      // A kubectl that lives for a tenth of a second need not collect its garbage.
      GOGC: 'off',
    };
    const child = spawn('bash', ['-c', line], {cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true});
    const said = {out: '', err: ''};
    child.stdout.on('data', part => (said.out += String(part)));
    child.stderr.on('data', part => (said.err += String(part)));
    const late = setTimeout(() => killGroup(child.pid), HUNG_MS);
    const code = await new Promise<number | null>(done => child.on('close', done));
    clearTimeout(late);
    this.#theirs.pump.speed = 0;
    return {out: this.#plain(said.out), err: this.#plain(said.err), code, asked: this.#asked.theirs};
  }

  async #typeOurs(line: string): Promise<Said> {
    this.#asked.ours = [];
    const {out, err, code} = await this.#ours.player.run(line);
    return {out, err, code, asked: this.#asked.ours};
  }

  /** The address of the port, and the folder, are those of our laptop. */
  #plain(text: string): string {
    return text
      .replaceAll(this.#server, 'https://10.0.0.10:6443')
      .replaceAll(this.#server.slice('https://'.length), '10.0.0.10:6443')
      .replaceAll(this.folder, this.#ours.player.home);
  }

  async close(): Promise<void> {
    await this.#port.close();
    rmSync(this.folder, {recursive: true, force: true});
  }
}

/** Ends a line with all that it started; it may have ended by itself a moment ago. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as {code?: string}).code !== 'ESRCH') throw error;
  }
}

function fullSecond(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}

function isRequest(asked: unknown): asked is Request {
  return typeof asked === 'object' && asked !== null && 'method' in asked && 'path' in asked;
}

function requestText({method, path, query = {}, body, headers = {}}: Request): string {
  const words = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();
  const type = body === undefined ? '' : (headers['content-type'] ?? '');
  return [`${method} ${path}${words.length > 0 ? `?${words.join('&')}` : ''}`, type, body === undefined ? '' : sorted(body)]
    .filter(part => part !== '')
    .join(' ');
}

function sorted(body: unknown): string {
  return typeof body === 'string'
    ? body
    : JSON.stringify(body, (_key, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      );
}
