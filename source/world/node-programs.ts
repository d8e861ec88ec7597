// What can be typed on a machine of the cluster: the programs of any Unix, kubectl, and the tools of a node.
import {kubectl} from '../kubectl/main.ts';
import type {Program} from '../sim/process/machine.ts';
import {dd} from '../tools/busybox/dd.ts';
import {mount} from '../tools/busybox/mount.ts';
import {crictl} from '../tools/crictl/crictl.ts';
import {etcdctl} from '../tools/etcdctl/main.ts';
import {makeEtcdutl} from '../tools/etcdutl/etcdutl.ts';
import {makeKubeadm} from '../tools/kubeadm/kubeadm.ts';
import {machinePrograms} from '../tools/machine/index.ts';
import {makeIp} from '../tools/network/ip.ts';
import {makeIptables, makeIptablesSave} from '../tools/network/iptables.ts';
import {makeSs} from '../tools/network/ss.ts';
import {openssl} from '../tools/openssl/openssl.ts';
import {makeJournalctl} from '../tools/systemd/journalctl.ts';
import {shutdownPrograms} from '../tools/systemd/shutdown.ts';
import {makeSystemctl} from '../tools/systemd/systemctl.ts';
import {makeScp} from '../tools/ssh/scp.ts';
import {makeSsh, type SshOptions} from '../tools/ssh/ssh.ts';
import type {Cluster} from './cluster.ts';
import {ETCD_FILES} from './etcd-files.ts';
import {KUBELET_CONFIG} from './machine-files.ts';
import {hardwareOf} from './hardware.ts';
import type {Host} from './host.ts';
import {shutDown} from './power.ts';
import {readKubeconfig} from './processes/kubeconfig-file.ts';
import {APT, UNIX} from './programs.ts';

const SSH_PORT = 22;

/** The same in every cluster. */
const SHARED: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...UNIX,
  ['kubectl', kubectl],
  ['crictl', crictl],
  ['etcdctl', etcdctl],
  ['etcdutl', makeEtcdutl(ETCD_FILES)],
  ['openssl', openssl],
  ['dd', dd],
  ['mount', mount],
  ...APT,
]);

/** The programs of all machines of a cluster. */
export function nodePrograms(cluster: Cluster): Map<string, Program> {
  return new Map([
    ...SHARED,
    ...machinePrograms(name => hardwareOf(cluster, name)),
    ...sshPrograms({find: name => targetOf(cluster, name), mayEnter: () => true}),
  ]);
}

/** Puts the programs on a machine, and lets people log in to it. */
export function equipNode(host: Host, cluster: Cluster): void {
  host.sharedPrograms = cluster.nodePrograms;
  const goDown = (then: 'off' | 'boot') => shutDown(cluster, host, then);
  const {clock} = host.physics;
  const later = (ms: number, run: () => void) => {
    const timer = clock.after(ms, run);
    return {cancel: () => clock.cancel(timer)};
  };
  for (const [name, program] of shutdownPrograms(goDown, later)) host.programs.set(name, program);
  host.programs.set('systemctl', makeSystemctl(host, goDown));
  host.programs.set('journalctl', makeJournalctl(host));
  host.programs.set('kubeadm', kubeadmOf(host));
  const facts = () => cluster.networkFacts(host);
  host.programs.set('ip', makeIp(facts));
  host.programs.set('ss', makeSs(facts));
  host.programs.set('iptables-save', makeIptablesSave(facts));
  host.programs.set('iptables', makeIptables(facts));
  const {network} = host.physics;
  network.attachApart(host.name, managementAddress(host));
  network.listen(host.address, SSH_PORT, call => call.end('closed'));
  network.listen(managementAddress(host), SSH_PORT, call => call.end('closed'));
}

function kubeadmOf(host: Host): Program {
  const dice = host.physics.dice.of(`kubeadm on ${host.name}`);
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return makeKubeadm({
    connect: (files, path) => {
      const read = readKubeconfig(files, path);
      return read.ok ? read.value : read.why;
    },
    machine: host,
    kubeletConfig: KUBELET_CONFIG,
    units: host.units,
    ports: () => host.ports.map(({port}) => port),
    random: count => Array.from({length: count}, () => letters[dice.below(letters.length)] ?? '').join(''),
  });
}

/** `ssh` and `scp` for the player: to the machines of a list, or to all. */
export function playersSsh(cluster: Cluster, allowed: readonly string[] | undefined): readonly (readonly [string, Program])[] {
  return sshPrograms({find: name => targetOf(cluster, name), mayEnter: name => allowed?.includes(name) ?? true});
}

function sshPrograms(options: SshOptions): readonly (readonly [string, Program])[] {
  return [
    ['ssh', makeSsh(options)],
    ['scp', makeScp(options)],
  ];
}

function targetOf(cluster: Cluster, name: string) {
  const host = cluster.machine(name) ?? [...cluster.hosts.values()].find(({address}) => address === name);
  return (
    host && {
      machine: host.machine,
      address: managementAddress(host),
      shell: cluster.bash,
      environment: cluster.rootEnvironment(host.name),
      isUp: () => host.powered,
    }
  );
}

/** Machines are looked after over a network of its own, as in a data centre: a cut between them keeps nobody from logging in. */
function managementAddress({address}: Host): string {
  return address.replace(/^\d+\.\d+/, '192.168');
}
