// `kubelet` on its machine: its flags, its configuration file and its kubeconfig; what is wrong with them ends it in its own words.
import {readCertificates} from '../../api/pki/certificate.ts';
import {outsideOf} from '../../api/wire/tls.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {readKubeconfig, type ComponentConfig} from './kubeconfig-file.ts';
import {readKubeletConfig, type KubeletConfig} from './kubelet-config.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readText, type Read} from './secrets.ts';

/** What a kubelet is started with. */
export interface KubeletSettings extends Omit<KubeletConfig, 'authority'> {
  readonly api: ComponentConfig;
  /** The keys of the authorities whose clients it believes. */
  readonly clientAuthorities: readonly string[];
  /** The text of its configuration file. */
  readonly configText: string | undefined;
}

/** Reads what it is told; undefined when that has ended it. */
export function kubeletSettings(launch: Launch, standardConfig: string): KubeletSettings | undefined {
  const {daemon, argv, files} = launch;
  const line = readCommandLine('kubelet', argv.slice(1));
  if (!line.ok) {
    failWith(daemon, line.lines, 1);
    return undefined;
  }
  const config = readKubeletConfig(launch, line.flags.text('config'), standardConfig);
  if (!config.ok) {
    failWith(daemon, config.ending.lines, config.ending.code);
    return undefined;
  }
  const {authority, ...settings} = config.value;
  const api = apiOf(launch, line.flags);
  if (!api.ok) {
    commandFailed(daemon, `failed to run Kubelet: ${api.why}`);
    return undefined;
  }
  const read = authority === undefined ? undefined : readText(files, authority);
  if (read?.ok === false) {
    commandFailed(daemon, `failed to construct kubelet dependencies: unable to load client CA file ${authority}: ${read.why}`);
    return undefined;
  }
  const clientAuthorities = readCertificates(read?.value ?? '').map(({key}) => key);
  return {api: api.value, clientAuthorities, configText: files.read(line.flags.text('config')), ...settings};
}

/** Where the API server is. A kubelet without a kubeconfig would join by a bootstrap one; there is none here to join with. */
function apiOf({files, daemon}: Launch, flags: Flags): Read<ComponentConfig> {
  const path = flags.text('kubeconfig');
  const bootstrap = flags.text('bootstrap-kubeconfig');
  const config = readKubeconfig(files, path);
  const missing = `unable to load bootstrap kubeconfig: stat ${bootstrap}: no such file or directory`;
  const canBootstrap = bootstrap !== '' && files.read(bootstrap) !== undefined;
  if (!config.ok && files.read(path) === undefined)
    return {ok: false, why: bootstrap === '' || canBootstrap ? `invalid kubeconfig: ${config.why}` : missing};
  if (!config.ok) return {ok: false, why: `invalid kubeconfig: ${config.why}`};
  const {certificate} = config.value;
  if (certificate && bootstrap !== '' && !canBootstrap && outsideOf(certificate, daemon.wall())) {
    const expired = `${new Date(certificate.notAfter).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
    const why = `part of the existing bootstrap client certificate in ${path} is expired: ${expired}`;
    daemon.print(`E bootstrap.go:267] "Unhandled Error" err=${JSON.stringify(why)} logger="UnhandledError"`);
    return {ok: false, why: missing};
  }
  return config;
}
