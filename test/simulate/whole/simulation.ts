// One run of a whole cluster: random objects, random deeds, random trouble, all from one seed. Every write is judged as it happens;
// after each round all machines are well again, nobody asks for anything, and the cluster must come to rest in the state that was
// asked for.
import {builtin} from '../../../source/api/meta/resources.ts';
import {patch} from '../../../source/client/verbs.ts';
import {PRESETS} from '../../../source/world/presets.ts';
import {World} from '../../../source/world/world.ts';
import {Violation} from '../history.ts';
import {Chance} from './chance.ts';
import type {Scene} from './checks/check.ts';
import {checksOf} from './checks/index.ts';
import {GENTLE, ROUGH, ours, pickDeed, ask, type Hands} from './deeds.ts';
import {Ledger, type Change} from './ledger.ts';
import {IMAGES, PROGRAMS} from './programs.ts';
import {FOUNDATIONS} from './things.ts';

/** What a run came to. */
export interface WholeOutcome {
  readonly writes: number;
  readonly pods: number;
  readonly virtualMs: number;
}

const WAITS = [5, 60, 400, 1500, 6000, 20_000, 50_000];
const DEEDS = 14;
/** Longer than a client that lost its server waits until it tries again. */
const QUIET_MS = 95_000;
const REST_MS = 30 * 60_000;
/** Longer than the time after which quotas are counted and pods tried anew, whatever was heard, and than a work queue's longest wait. */
const LATE_MS = 17 * 60_000;
const COMPONENTS = ['etcd', 'apiserver', 'kcm', 'scheduler'];
/** Makes a kubelet end its pods before its machine goes down. */
const GRACEFUL =
  "sed -i 's/^shutdownGracePeriod: 0s/shutdownGracePeriod: 20s/; s/^shutdownGracePeriodCriticalPods: 0s/shutdownGracePeriodCriticalPods: 5s/' " +
  '/var/lib/kubelet/config.yaml && systemctl restart kubelet';
/** So many times a minute may one writer write one object at rest. */
const AT_REST = 3;
/** An event that is told again with every look of a controller: each 15 seconds. */
const EVENTS_AT_REST = 5;

export interface WholeOptions {
  readonly seed: number;
  readonly rounds?: number;
  readonly say?: (text: string) => void;
}

/** A run of one seed. */
export class WholeSimulation {
  readonly #seed: number;
  readonly #rounds: number;
  readonly #say: (text: string) => void;
  readonly #found: string[] = [];
  readonly #made = new Set<string>();
  readonly #checks = checksOf();
  #writes = 0;
  #changedAt = 0;

  constructor({seed, rounds = 3, say = () => undefined}: WholeOptions) {
    this.#seed = seed;
    this.#rounds = rounds;
    this.#say = say;
  }

  /** Plays it to its end; throws a Violation. */
  async run(): Promise<WholeOutcome> {
    const chance = new Chance(this.#seed, 'whole');
    const world = await this.#open(chance);
    const note = (text: string) => this.#say(`${(world.now / 1000).toFixed(3).padStart(10)} ${text}`);
    const ledger = new Ledger(world, 'cp-1', world.machines.has('cp-2') ? '10.0.0.11' : '10.0.0.10');
    const scene: Scene & {gentle: boolean} = {ledger, world, gentle: true, steadySince: 0, roundSince: undefined};
    const hands: Hands = {world, ledger, chance, note};
    await world.advance(1000);
    for (const object of FOUNDATIONS) await world.apply(object);
    ledger.on(change => this.#judge(change, scene));
    for (let round = 0; round < this.#rounds; round++) {
      scene.gentle = chance.percent(50);
      scene.roundSince = scene.gentle ? world.now : undefined;
      note(`round ${round + 1}, ${scene.gentle ? 'gentle' : 'rough'}`);
      await this.#round(hands, scene.gentle ? GENTLE : [...GENTLE, ...ROUGH]);
      await this.#calm(hands);
      scene.roundSince = undefined;
      await this.#rest(hands, scene);
    }
    return {writes: this.#writes, pods: this.#made.size, virtualMs: world.now};
  }

  async #open(chance: Chance): Promise<World> {
    const world = await World.open({
      description: {
        seed: this.#seed,
        startMs: Date.UTC(2026, 10, 30, 9),
        nodes: chance.percent(70) ? PRESETS.trio : PRESETS.ha,
        kubeadm: true,
        metricsServer: chance.percent(50),
        storage: {},
        images: IMAGES,
        programs: PROGRAMS,
        objects: [],
        player: {user: 'root', groups: [], namespace: '', files: {}, allowed: []},
      },
      hostNow: () => 0,
    });
    for (const node of ['node-1', 'node-2', 'node-3']) if (chance.percent(30)) await world.player.run(GRACEFUL, node);
    return world;
  }

  #judge(change: Change, scene: Scene): void {
    this.#writes++;
    if (change.resource === 'pods' && !change.before) this.#made.add(change.key);
    if (!isHeartbeat(change)) this.#changedAt = change.at;
    for (const check of this.#checks) {
      const words = check.change?.(change, scene);
      if (words !== undefined)
        this.#found.push(`at ${(change.at / 1000).toFixed(3)} s, revision ${change.revision} by ${change.who}: ${words}`);
    }
  }

  #throwFound(): void {
    if (this.#found.length > 0) throw new Violation(this.#found.slice(0, 12).join('\n'));
  }

  async #round(hands: Hands, deeds: typeof GENTLE): Promise<void> {
    const {chance, world} = hands;
    for (let n = 0; n < DEEDS; n++) {
      await pickDeed(chance, deeds)(hands);
      await world.advance(WAITS[chance.below(WAITS.length)] ?? 5);
      this.#throwFound();
    }
  }

  /** All machines and components are well, cron jobs wait, and what people took away for good is there again. */
  async #calm(hands: Hands): Promise<void> {
    const {world, ledger, note} = hands;
    note('calm');
    await this.#mend(world);
    // One that was paused finds out only now that it leads no more, and ends.
    await world.advance(20_000);
    await this.#mend(world);
    await world.advance(20_000);
    // A pod that bears a taint for some seconds only would come and go for ever.
    for (const name of ['node-1', 'node-2', 'node-3'])
      await ask(hands, patch(builtin('nodes'), {name}, 'merge', {spec: {taints: null}}), `untaint ${name}`);
    const cronJobs = builtin('batch', 'cronjobs');
    for (const {metadata} of ours(ledger, cronJobs)) {
      const place = {name: metadata.name ?? '', namespace: metadata.namespace};
      await ask(hands, patch(cronJobs, place, 'merge', {spec: {suspend: true}}), `suspend CronJob ${place.name}`);
    }
    this.#throwFound();
  }

  async #mend(world: World): Promise<void> {
    for (const name of ['cp-1', 'cp-2', 'cp-3', 'node-1', 'node-2', 'node-3'].filter(each => world.machines.has(each))) {
      await world.fault(`power on ${name}`);
      await world.fault(`start kubelet ${name}`);
      if (name.startsWith('node')) continue;
      for (const component of COMPONENTS) {
        await world.fault(`resume ${component} ${name}`);
        const alive = await world.fault(`alive ${component} ${name}`);
        if ('out' in alive && alive.out === 'no\n') await world.fault(`start ${component} ${name}`);
      }
    }
  }

  #late(scene: Scene): readonly string[] {
    return this.#checks.flatMap(check => check.late?.(scene.ledger, scene) ?? []);
  }

  async #rest(hands: Hands, scene: Scene): Promise<void> {
    const {world, ledger, note} = hands;
    const deadline = world.now + REST_MS;
    while (world.now - this.#changedAt < QUIET_MS && world.now < deadline) {
      await world.advance(5000);
      this.#throwFound();
    }
    note('rest');
    for (const check of this.#checks) this.#found.push(...(check.rest?.(ledger, scene) ?? []));
    this.#throwFound();
    if (this.#late(scene).length > 0) {
      await world.advance(LATE_MS);
      this.#found.push(...this.#late(scene));
      this.#throwFound();
    }
    if (world.now >= deadline) throw new Violation(`no rest: ${busiest(ledger, world.now - 60_000).join('; ')}`);
    await world.advance(60_000);
    const busy = busiest(ledger, world.now - 60_000);
    if (busy.length > 0) throw new Violation(`busy at rest: ${busy.join('; ')}`);
    for (const object of FOUNDATIONS) await world.apply(object);
  }
}

/** What is written whether or not anything happens. */
function isHeartbeat({resource, key, before, after}: Change): boolean {
  if (resource === 'leases' || key.startsWith('masterleases')) return true;
  if (resource === 'events') return true;
  return resource === 'nodes' && before !== undefined && after !== undefined && beatless(before) === beatless(after);
}

function beatless(node: object): string {
  const {spec, status, metadata} = node as {
    spec?: unknown;
    status?: {conditions?: readonly object[]};
    metadata?: {labels?: unknown};
  };
  const conditions = status?.conditions?.map(condition => ({...condition, lastHeartbeatTime: ''}));
  return JSON.stringify([spec, metadata?.labels, {...status, conditions}]);
}

/** Who has written one thing more often than a quiet cluster would. */
function busiest(ledger: Ledger, since: number): string[] {
  const counts = new Map<string, number>();
  for (const change of ledger.since(since)) {
    if (change.resource === 'leases') continue;
    const what = `${change.who} ${change.verb} ${change.resource} ${change.resource === 'events' ? eventWords(change) : change.key}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts]
    .filter(([what, count]) => count > (what.includes(' events ') ? EVENTS_AT_REST : AT_REST))
    .map(([what, count]) => `${count} times ${what}`);
}

function eventWords({after, key}: Change): string {
  const {involvedObject, reason, message} = (after ?? {}) as {
    involvedObject?: {kind?: string; name?: string};
    reason?: string;
    message?: string;
  };
  return `${involvedObject?.kind} ${key} ${reason} ${message}`;
}
