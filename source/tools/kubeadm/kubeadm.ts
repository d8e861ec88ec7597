// `kubeadm`, for a cluster that stands: version, certs (check-expiration, renew), token (create, list, delete, generate), config
// images list and print, kubeconfig user, upgrade plan, init phase (certs, kubeconfig, control-plane, etcd, kubelet-start), join (of workers), reset; init as far as its
// checks. Not modelled: what it does on a machine that passes them, joining a control plane, upgrade apply.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {readFlags, type FlagSpec} from '../flags/pflags.ts';
import {checkExpiration, renew} from './certs.ts';
import * as phases from './init-phases.ts';
import * as defaults from './defaults.ts';
import {join} from './join.ts';
import {init} from './preflight.ts';
import {reset} from './reset.ts';
import {Failed, VERSION, type KubeadmOptions, type Session} from './session.ts';
import * as tokens from './tokens.ts';
import {apply, plan} from './upgrade.ts';

interface Command {
  readonly path: string;
  readonly flags: readonly FlagSpec[];
  readonly run: (session: Session) => Promise<void> | never;
}

const text = (name: string, short?: string): FlagSpec => ({name, type: 'string', ...(short ? {short} : {})});
const yes = (name: string, short?: string): FlagSpec => ({name, type: 'bool', ...(short ? {short} : {})});
const COMMON: readonly FlagSpec[] = [text('v', 'v'), text('rootfs'), yes('help', 'h'), text('kubeconfig'), text('config')];
const CERTS = [text('cert-dir'), text('output', 'o'), yes('use-api')];

const strings = (name: string): FlagSpec => ({name, type: 'strings'});
const INIT: readonly FlagSpec[] = [
  text('cert-dir'),
  text('kubeconfig-dir'),
  text('kubernetes-version'),
  text('pod-network-cidr'),
  text('service-cidr'),
  text('control-plane-endpoint'),
  text('apiserver-advertise-address'),
  text('apiserver-bind-port'),
  text('node-name'),
  text('cri-socket'),
  strings('apiserver-cert-extra-sans'),
  strings('ignore-preflight-errors'),
  yes('upload-certs'),
  yes('dry-run'),
];
const JOIN: readonly FlagSpec[] = [
  text('token'),
  text('discovery-token'),
  strings('discovery-token-ca-cert-hash'),
  yes('discovery-token-unsafe-skip-ca-verification'),
  text('discovery-file'),
  text('certificate-key'),
  text('node-name'),
  text('cri-socket'),
  yes('control-plane'),
  strings('ignore-preflight-errors'),
];

const COMMANDS: readonly Command[] = [
  {path: 'certs check-expiration', flags: CERTS, run: checkExpiration},
  {path: 'certs renew', flags: CERTS, run: renew},
  {path: 'config images list', flags: [text('output', 'o'), text('kubernetes-version'), text('image-repository')], run: images},
  {path: 'config print init-defaults', flags: [], run: defaults.initDefaults},
  {path: 'config print join-defaults', flags: [], run: defaults.joinDefaults},
  {path: 'init phase certs', flags: INIT, run: phases.certs},
  {path: 'init phase control-plane', flags: INIT, run: phases.controlPlane},
  {path: 'init phase etcd', flags: INIT, run: phases.etcd},
  {path: 'init phase kubeconfig', flags: INIT, run: phases.kubeconfig},
  {path: 'init phase kubelet-start', flags: INIT, run: phases.kubeletStart},
  {path: 'init', flags: INIT, run: init},
  {path: 'join', flags: JOIN, run: join},
  {
    path: 'kubeconfig user',
    flags: [text('client-name'), strings('org'), text('token'), text('validity-period')],
    run: phases.userKubeconfig,
  },
  {
    path: 'reset',
    flags: [yes('force', 'f'), text('cert-dir'), text('cri-socket'), strings('ignore-preflight-errors')],
    run: reset,
  },
  {
    path: 'token create',
    flags: [
      text('ttl'),
      text('description'),
      {name: 'usages', type: 'strings'},
      {name: 'groups', type: 'strings'},
      yes('print-join-command'),
      yes('dry-run'),
    ],
    run: tokens.create,
  },
  {path: 'token delete', flags: [yes('dry-run')], run: tokens.remove},
  {path: 'token generate', flags: [yes('dry-run')], run: tokens.generate},
  {path: 'token list', flags: [text('output', 'o')], run: tokens.list},
  {
    path: 'upgrade apply',
    flags: [yes('yes', 'y'), yes('force', 'f'), yes('dry-run')],
    run: session => Promise.resolve(apply(session)),
  },
  {path: 'upgrade plan', flags: [text('output', 'o'), yes('allow-experimental-upgrades'), yes('print-config')], run: plan},
  {path: 'version', flags: [text('output', 'o')], run: version},
];

/** Makes the program of a machine. */
export function makeKubeadm(options: KubeadmOptions): Program {
  return async process => {
    try {
      const words = process.argv.slice(1);
      const command = find(words);
      if (!command) {
        await process.out(
          "Usage:\n  kubeadm [command]\n\nAvailable Commands:\n  certs       Commands related to handling Kubernetes certificates\n  config      Manage configuration for a kubeadm cluster persisted in a ConfigMap in the cluster\n  init        Run this command in order to set up the Kubernetes control plane\n  join        Run this on any machine you wish to join an existing cluster\n  reset       Performs a best effort revert of changes made to this host by 'kubeadm init' or 'kubeadm join'\n  token       Manage bootstrap tokens\n  upgrade     Upgrade your cluster smoothly to a newer version with this command\n  version     Print the version of kubeadm\n",
        );
        return 0;
      }
      const typed = readFlags(words, [
        ...command.flags,
        ...COMMON.filter(each => !command.flags.some(own => own.name === each.name)),
      ]);
      if (!typed.ok) throw new Failed(typed.message);
      if (typed.flags.on('help')) return await help(process, command);
      await command.run({process, options, words: typed.words.slice(command.path.split(' ').length), flags: typed.flags});
      return 0;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      await process.err(`error: ${error.message}\nTo see the stack trace of this error execute with --v=5 or higher\n`);
      return 1;
    }
  };
}

/** How a command is typed, and its flags. */
async function help(process: Process, {path, flags}: Command): Promise<number> {
  const lines = [...flags, ...COMMON]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({name, short, type}) =>
        `  ${short && short !== name ? `-${short}, ` : '    '}--${name}${type === 'bool' ? '' : ` ${type}`}\n`,
    );
  await process.out(`Usage:\n  kubeadm ${path} [flags]\n\nFlags:\n${lines.join('')}`);
  return 0;
}

/** The command that is meant; undefined where only help can be. */
function find(words: readonly string[]): Command | undefined {
  const bare = words.filter(word => !word.startsWith('-'));
  const command = COMMANDS.find(({path}) => path.split(' ').every((part, i) => bare[i] === part));
  if (command?.path === 'init' && bare[1] === 'phase' && bare[2] !== undefined)
    throw new Failed(`unknown command ${JSON.stringify(bare[2])} for "kubeadm init phase"`);
  if (command || bare.length === 0) return command;
  const groups = ['certs', 'config', 'config images', 'config print', 'init phase', 'kubeconfig', 'token', 'upgrade'];
  const known = groups.findLast(group => group.split(' ').every((part, i) => bare[i] === part));
  const depth = known?.split(' ').length ?? 0;
  const stranger = bare[depth];
  if (stranger === undefined) return undefined;
  throw new Failed(`unknown command ${JSON.stringify(stranger)} for "kubeadm${known === undefined ? '' : ` ${known}`}"`);
}

const FACTS = {major: '1', minor: '35', gitVersion: VERSION, gitTreeState: 'clean', compiler: 'gc', platform: 'linux/amd64'};

async function version({process, flags}: Session): Promise<void> {
  const form = flags.text('output');
  if (form === 'short') await process.out(`${VERSION}\n`);
  else if (form === 'json') await process.out(`${JSON.stringify({clientVersion: FACTS}, null, 2)}\n`);
  else if (form === 'yaml') await process.out(printYaml({clientVersion: FACTS}));
  else if (form === '')
    await process.out(
      `kubeadm version: &version.Info{Major:"1", Minor:"35", EmulationMajor:"", EmulationMinor:"", MinCompatibilityMajor:"", MinCompatibilityMinor:"", GitVersion:"${VERSION}", GitCommit:"", GitTreeState:"clean", BuildDate:"", GoVersion:"", Compiler:"gc", Platform:"linux/amd64"}\n`,
    );
  else throw new Failed(`invalid output format: ${form}`);
}

const IMAGES = ['coredns/coredns:v1.13.1', 'pause:3.10.1', 'etcd:3.6.6-0'];

async function images({process, flags}: Session): Promise<void> {
  const repository = flags.text('image-repository') || 'registry.k8s.io';
  const wanted = flags.text('kubernetes-version') || VERSION;
  const own = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map(name => `${name}:${wanted}`);
  await process.out([...own, ...IMAGES].map(name => `${repository}/${name}\n`).join(''));
}
