// The game without a screen: commands in, text out, under virtual time. It answers JSON lines for programs and plain lines for
// people; time passes only while a command waits and when somebody asks for it.
import {sha256} from '../api/meta/hash.ts';
import type {NodeDescription} from '../world/description.ts';
import type {Outcome} from '../world/player.ts';
import {World} from '../world/world.ts';
import type {Level} from './level/level.ts';
import {ownCluster} from './own-cluster.ts';
import {openLevel, type Opened} from './session/opening.ts';
import {Watch} from './session/judging/watch.ts';

export interface LineShellOptions {
  readonly hostNow: () => number;
  readonly seed?: number;
  /** A level; or the machines of a bare cluster; or neither, for a preset of three workers. */
  readonly level?: Level;
  readonly nodes?: readonly NodeDescription[];
  /** The machines' kubelets run the control plane. */
  readonly staticPods?: boolean;
}

/** What a line came to; `news` tells of goals that changed. */
export interface Told extends Outcome {
  readonly news: string;
}

/** Ties are thrown for. Any number would do; with this one they fall as they once fell in a real cluster of the same machines. */
const SEED = 7;
/** A bare cluster is handed over when its controllers have begun and have seen to what every cluster has. */
const SETTLING_MS = 20_000;
/** Without a screen nobody can edit, but what would be edited can be read. */
const WITHOUT_SCREEN = {KUBE_EDITOR: 'cat'};
const START = Date.UTC(2026, 10, 30, 9, 0, 0);

/** Opens a level, or a cluster without one. */
export async function openShell(options: LineShellOptions): Promise<LineShell> {
  const {level, hostNow, seed} = options;
  if (level) {
    const opened = await openLevel(level, {hostNow, ...(seed === undefined ? {} : {seed})});
    return new LineShell(opened.world, opened, level);
  }
  const {nodes, staticPods = false} = options;
  const description = ownCluster({
    seed: seed ?? SEED,
    startMs: START,
    nodes,
    staticPods,
    player: {groups: ['kubeadm:cluster-admins'], environment: WITHOUT_SCREEN, hostEnvironment: {'*': WITHOUT_SCREEN}},
  });
  const world = await World.open({description, hostNow});
  await world.advance(SETTLING_MS);
  return new LineShell(world);
}

export class LineShell {
  readonly #world: World;
  readonly #watch: Watch | undefined;
  readonly #level: Level | undefined;
  readonly #startedAt: number;
  #told = '';

  constructor(world: World, opened?: Opened, level?: Level) {
    this.#world = world;
    this.#watch = opened && new Watch(opened);
    this.#level = level;
    this.#startedAt = world.now;
    this.#told = this.#goalLines();
  }

  /** What a person reads first. */
  get greeting(): string {
    if (!this.#level) return 'A cluster of your own. `help` tells what can be typed; `exit` leaves.';
    const {title, story, briefing} = this.#level;
    return [
      title,
      '',
      story.trim(),
      briefing,
      '',
      this.#told,
      '',
      `Begin with: ${this.#level.symptom[0]?.run ?? 'kubectl get pods'}`,
    ].join('\n');
  }

  get hasGoals(): boolean {
    return this.#level !== undefined;
  }

  get won(): boolean {
    return this.#watch?.latest?.won === true;
  }

  /** Types a line as a person would. */
  async say(line: string, host?: string): Promise<Told> {
    const outcome = await this.#world.player.run(line, host);
    const now = this.#goalLines();
    const news = now === this.#told ? '' : now;
    this.#told = now;
    return {...outcome, news};
  }

  /** Answers one JSON request. */
  async answer(line: string, host?: string): Promise<unknown> {
    let request: unknown;
    try {
      request = JSON.parse(line);
    } catch {
      return {error: 'this line is no JSON'};
    }
    if (typeof request !== 'object' || request === null || Array.isArray(request)) return {error: 'a request is a JSON object'};
    return this.#serve(request as Record<string, unknown>, host);
  }

  async #serve(request: Record<string, unknown>, host: string | undefined): Promise<unknown> {
    if (typeof request['run'] === 'string') {
      const at = typeof request['host'] === 'string' ? request['host'] : host;
      const {out, err, code} = await this.#world.player.run(request['run'], at);
      return {out, err, code, at: this.#seconds};
    }
    if (typeof request['file'] === 'string' && typeof request['text'] === 'string') {
      this.#world.player.writeFile(request['file'], request['text']);
      return {};
    }
    if (typeof request['advance'] === 'number' && request['advance'] >= 0) {
      await this.#world.advance(request['advance'] * 1000);
      return {};
    }
    if (request['trace'] === true) return this.#traceDigest();
    if (typeof request['fault'] === 'string') return this.#world.fault(request['fault']);
    if (request['goals'] === true)
      return {goals: (this.#watch?.latest?.goals ?? []).map(({text, met}) => ({text, met})), won: this.won};
    return {error: 'not understood: a request has run, file and text, advance, fault, trace or goals'};
  }

  /** Two runs with the same seed and the same requests give the same digest of all that happened. */
  #traceDigest(): {readonly entries: number; readonly sha256: string} {
    const entries = [...this.#world.traceSince(0)];
    const text = entries.map(({n, at, who, verb, object, because, detail}) =>
      JSON.stringify([n, at, who, verb, object, because, detail]),
    );
    return {entries: entries.length, sha256: sha256(text.join('\n'))};
  }

  get #seconds(): number {
    return Math.round(this.#world.now - this.#startedAt) / 1000;
  }

  #goalLines(): string {
    const {goals = [], breaches = [], won = false} = this.#watch?.latest ?? {};
    const lines = goals.map(({text, met, note}) => `[${met ? 'x' : ' '}] ${text} (${note})`);
    for (const {reason} of breaches) lines.push(`[!] ${reason}`);
    if (won) lines.push('Mended: all goals hold.');
    return lines.join('\n');
  }
}
