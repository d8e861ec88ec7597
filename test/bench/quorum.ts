// Members of etcd: an election, a write through three members, a restore, and the seeds a second of `npm run simulate`.
import {Lab} from '../../source/cluster/etcd/lab.ts';
import {restoreSnapshot} from '../../source/cluster/etcd/restore.ts';
import type {SnapshotFile} from '../../source/cluster/etcd/snapshot.ts';
import {Simulation} from '../simulate/simulation.ts';
import {cpuMs, median, type Bench} from './measure.ts';

const ELECTIONS = 21;
const KEYS = 10_000;
const WRITES = 5000;
const SEEDS = 20;

export const quorum: Bench = {
  name: 'members of etcd',
  async run() {
    const {election, virtual} = await elections();
    const lab = Lab.running(3);
    const leader = lab.leader?.name ?? 'cp-1';
    const write = await cpuMs(() => {
      for (let i = 0; i < WRITES; i++) lab.put(leader, `k${i}`, {n: i});
    });
    for (let i = WRITES; i < KEYS; i++) lab.put(leader, `k${i}`, {n: i});
    const file = lab.ask(leader, {kind: 'snapshot'})?.['snapshot'] as SnapshotFile;
    const restores: number[] = [];
    for (let i = 0; i < 5; i++) restores.push(await cpuMs(() => restore(file)));
    const seeds = await cpuMs(() => {
      for (let seed = 1; seed <= SEEDS; seed++) new Simulation(seed).run();
    });
    return [
      {name: 'an election of three, median', value: election, unit: 'ms of CPU'},
      {name: '… in virtual time, median', value: virtual, unit: 'ms'},
      {name: 'writes through three members', value: (WRITES / write) * 1000, unit: 'a second of CPU'},
      {name: `restoring a snapshot of ${KEYS.toLocaleString('en')} keys`, value: median(restores), unit: 'ms of CPU'},
      {name: 'simulate', value: (SEEDS / seeds) * 1000, unit: 'seeds a second of CPU'},
    ];
  },
};

async function elections(): Promise<{election: number; virtual: number}> {
  const cpu: number[] = [];
  const virtual: number[] = [];
  for (let seed = 1; seed <= ELECTIONS; seed++) {
    const lab = Lab.running(3, seed);
    lab.run(1000);
    const old = lab.leader?.name ?? 'cp-1';
    const began = lab.clock.now;
    lab.kill(old);
    cpu.push(await cpuMs(() => lab.until(() => lab.leader !== undefined)));
    virtual.push(lab.clock.now - began);
  }
  return {election: median(cpu), virtual: median(virtual)};
}

function restore(file: SnapshotFile): void {
  const flags = {
    name: 'cp-1',
    initialCluster: 'cp-1=https://10.0.0.11:2380',
    initialAdvertisePeerUrls: ['https://10.0.0.11:2380'],
  };
  const restored = restoreSnapshot(file, flags);
  if ('error' in restored) throw new Error(restored.error);
}
