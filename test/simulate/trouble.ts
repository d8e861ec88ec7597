// What befalls machines, links and disks, thrown by the dice. Whoever calls `next` gets one misfortune carried out, or one mended.
import type {MembersAnswer} from '../../source/api/wire/etcd.ts';
import type {Host, Lab} from '../../source/cluster/etcd/lab.ts';
import {Disk} from '../../source/cluster/etcd/disk.ts';
import type {EtcdOptions} from '../../source/cluster/etcd/options.ts';
import type {Dice} from '../../source/sim/dice.ts';

/** What trouble works on. */
export interface TroubleWorld {
  readonly lab: Lab;
  readonly dice: Dice;
  readonly note: (text: string) => void;
  readonly flags: Partial<EtcdOptions>;
}

/** The hand of fate. */
export class Trouble {
  readonly #world: TroubleWorld;

  constructor(world: TroubleWorld) {
    this.#world = world;
  }

  /** Does a member's process run there? */
  isUp({daemon}: Host): boolean {
    return daemon !== undefined && daemon.exitCode === undefined;
  }

  /** One thing happens. */
  next(): void {
    const {lab, dice} = this.#world;
    const host = this.#any();
    const up = this.isUp(host);
    const what = dice.below(26);
    if (!up && what < 16) return this.start(host);
    if (what < 2) return this.#down(host, false);
    if (what < 4) return this.#down(host, true);
    if (what < 5) return this.#end(host);
    if (what < 8) return this.#cut(host, this.#any());
    if (what < 9) return this.#isolate(host);
    if (what < 13) return this.#heal();
    if (what < 14) return this.#pause(host);
    if (what < 17) return this.#resume();
    if (what < 18) return this.#slowDisk(host);
    if (what < 19) return this.#slowLink(host, this.#any());
    if (what < 20) return this.#jump(host);
    if (what < 22) return this.#move();
    if (what < 23) return this.ask(host, {kind: 'defragment'});
    if (what < 25 && lab.hosts.length > 2) return this.#replace(host);
    return undefined;
  }

  #any(): Host {
    const {lab, dice} = this.#world;
    return lab.hosts[dice.below(lab.hosts.length)] as Host;
  }

  /** The machine comes up, and etcd with it. */
  start(host: Host, flags: Partial<EtcdOptions> = {}): void {
    const {lab, note} = this.#world;
    // A wiped disk is no founder: it would vote as if it had never promised anything.
    if (this.isUp(host) || (host.disk.isEmpty && flags.initialClusterState !== 'existing')) return;
    note(`start ${host.name}`);
    lab.powerUp(host.name);
    lab.start(host.name, {...this.#world.flags, ...flags});
  }

  #down(host: Host, power: boolean): void {
    if (!this.isUp(host)) return;
    const {lab, note} = this.#world;
    note(power ? `power off ${host.name}` : `kill ${host.name}`);
    if (power) lab.powerCut(host.name);
    else lab.kill(host.name);
  }

  #end(host: Host): void {
    if (!this.isUp(host)) return;
    this.#world.note(`stop ${host.name}`);
    host.member?.terminate();
  }

  #cut(a: Host, b: Host): void {
    if (a === b) return;
    this.#world.note(`cut ${a.name} ${b.name}`);
    this.#world.lab.network.cut(a.name, b.name);
  }

  #isolate(host: Host): void {
    const {lab, note} = this.#world;
    note(`isolate ${host.name}`);
    for (const other of lab.hosts) if (other !== host) lab.network.cut(host.name, other.name);
  }

  #heal(): void {
    this.#world.note('heal');
    this.#world.lab.network.heal();
  }

  #pause(host: Host): void {
    this.#world.note(`pause ${host.name}`);
    host.daemon?.scope.pause();
  }

  #resume(): void {
    for (const {daemon} of this.#world.lab.hosts) daemon?.scope.resume();
  }

  #slowDisk(host: Host): void {
    const {dice, note} = this.#world;
    host.disk.fsyncMs = [0.5, 0.5, 5, 60, 400, 2500][dice.below(6)] ?? 0.5;
    note(`fsync of ${host.name} takes ${host.disk.fsyncMs} ms`);
  }

  #slowLink(a: Host, b: Host): void {
    const {dice, lab, note} = this.#world;
    if (a === b) return;
    const ms = [0.1, 0.1, 3, 40, 300][dice.below(5)] ?? 0.1;
    note(`${ms} ms between ${a.name} and ${b.name}`);
    lab.network.delay(a.name, b.name, ms);
  }

  #jump(host: Host): void {
    const {dice, note} = this.#world;
    host.clockErrorMs += (dice.below(2) === 0 ? -1 : 1) * (1 + dice.below(100)) * 60_000;
    note(`the clock of ${host.name} is ${host.clockErrorMs / 1000} s off`);
  }

  #move(): void {
    const {lab, dice} = this.#world;
    const {leader} = lab;
    const others = lab.hosts.filter(host => host !== leader && (host.member?.id ?? '') !== '');
    const target = others[dice.below(others.length || 1)]?.member?.id;
    if (leader && target) this.ask(leader, {kind: 'move-leader', id: target});
  }

  /** Asks a member for something that may fail. */
  ask({name}: Host, request: Parameters<Lab['send']>[1]): void {
    const {lab, note} = this.#world;
    lab.send(name, request, answer => note(`${request.kind} at ${name}: ${answer?.error?.message ?? 'done'}`));
  }

  /** A machine is replaced: its member removed, its disk wiped, a new member added in its place and started. */
  #replace(host: Host): void {
    const {lab, dice, note} = this.#world;
    const id = host.disk.identity?.memberId;
    const via = lab.leader;
    if (!id || !via || via === host) return;
    note(`replace ${host.name}`);
    const learner = dice.below(2) === 0;
    lab.send(via.name, {kind: 'member-remove', id}, removed => {
      if (!removed || removed.error) return note(`no: ${removed?.error?.message}`);
      note(`${host.name} is removed`);
      lab.kill(host.name);
      this.wipe(host);
      lab.send(via.name, {kind: 'member-add', peerUrls: [lab.peerUrl(host.name)], learner}, added => {
        if (!added || added.error) return note(`no: ${added?.error?.message}`);
        this.join(host, added as unknown as MembersAnswer);
      });
    });
  }

  wipe(host: Host): void {
    host.disk = new Disk();
  }

  /** Starts a member that was added, with the members that there are now. */
  join(host: Host, {members}: MembersAnswer): void {
    const {lab, note} = this.#world;
    const names = members.flatMap(({peerUrls}) => lab.hosts.find(each => peerUrls.includes(lab.peerUrl(each.name)))?.name ?? []);
    note(`${host.name} joins ${names.join(' ')}`);
    this.start(host, {initialCluster: lab.cluster(...names), initialClusterState: 'existing'});
  }
}
