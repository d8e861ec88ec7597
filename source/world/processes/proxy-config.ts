// What kube-proxy is started with: its flags, and the KubeProxyConfiguration and kubeconfig that they name, from its ConfigMap. What is
// wrong ends it with the words of the real one.
//
// Not modelled: other modes than iptables (ipvs and nftables are taken, and work as iptables does), and that it ends when the file
// changes under it.
import {PROXY_CONFIG, readConfig} from '../../api/component-config/read.ts';
import {aggregated} from '../../api/meta/go-text.ts';
import type {Files} from '../../sim/files.ts';
import {whyBadGates} from './feature-gates.ts';
import {readCommandLine} from './flags.ts';
import {readKubeconfig, type ComponentConfig} from './kubeconfig-file.ts';
import {readText, type Read} from './secrets.ts';

/** What it goes by, or the lines with which it ends. */
export type ProxyStart =
  | {readonly ok: true; readonly config: ProxyConfig; readonly lines: readonly string[]}
  | {readonly ok: false; readonly lines: readonly string[]};

export interface ProxyConfig {
  readonly hostname: string | undefined;
  readonly clusterCidr: string | undefined;
  /** The API server, by the kubeconfig; undefined: as any pod finds it. */
  readonly api: ComponentConfig | undefined;
}

interface FileConfig {
  readonly clusterCIDR?: string;
  readonly mode?: string;
  readonly hostnameOverride?: string;
  readonly clientConnection?: {readonly kubeconfig?: string};
}

const MODES: ReadonlySet<string> = new Set(['', 'iptables', 'ipvs', 'nftables']);

/** Reads command line and files. */
export function readProxyStart(argv: readonly string[], files: Files): ProxyStart {
  const line = readCommandLine('kube-proxy', argv.slice(1));
  if (!line.ok) return line;
  const {flags} = line;
  const gates = whyBadGates(flags);
  if (gates !== undefined) return failed(gates);
  const path = flags.text('config');
  const read = path === '' ? {ok: true as const, value: {}, problems: []} : readFile(files, path);
  if (!read.ok) return failed(`failed complete: ${read.why}`);
  const {clusterCIDR, mode, hostnameOverride, clientConnection}: FileConfig = read.value;
  const strict = JSON.stringify(`strict decoding error: ${read.problems.join(', ')}`);
  const lines =
    read.problems.length === 0 ? [] : [`I server.go:682] "Using lenient decoding as strict decoding failed" err=${strict}`];
  const wrong = whyInvalid(mode ?? flags.text('proxy-mode'), clusterCIDR ?? flags.text('cluster-cidr'));
  if (wrong !== undefined) return failed(`failed validate: ${wrong}`, lines);
  const kubeconfig = clientConnection?.kubeconfig ?? flags.text('kubeconfig');
  const api = kubeconfig === '' ? undefined : readKubeconfig(files, kubeconfig);
  if (api?.ok === false)
    return failed(api.why, [...lines, `E server.go:141] "Error running ProxyServer" err=${JSON.stringify(api.why)}`]);
  const hostname = flags.text('hostname-override') || hostnameOverride || undefined;
  return {
    ok: true,
    config: {hostname, clusterCidr: clusterCIDR || flags.text('cluster-cidr') || undefined, api: api?.value},
    lines,
  };
}

function failed(why: string, before: readonly string[] = []): ProxyStart {
  return {ok: false, lines: [...before, `E run.go:72] "command failed" err=${JSON.stringify(why)}`]};
}

type FileRead =
  | {readonly ok: true; readonly value: FileConfig; readonly problems: readonly string[]}
  | {readonly ok: false; readonly why: string};

function readFile(files: Files, path: string): FileRead {
  const text: Read<string> = readText(files, path);
  if (!text.ok) return text;
  const read = readConfig(text.value, PROXY_CONFIG);
  return read.ok ? read : {ok: false, why: `failed to decode: ${read.why}`};
}

function whyInvalid(mode: string, range: string): string | undefined {
  const problems = [
    ...(MODES.has(mode)
      ? []
      : [
          `KubeProxyConfiguration.ProxyMode: Invalid value: ${JSON.stringify(mode)}: must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])`,
        ]),
    ...(range === '' || range.split(',').every(isRange)
      ? []
      : [
          `KubeProxyConfiguration.ClusterCIDR: Invalid value: ${JSON.stringify(range)}: must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)`,
        ]),
  ];
  return aggregated(problems);
}

function isRange(text: string): boolean {
  const [, address = '', bits = ''] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  if (address.includes(':')) return Number(bits) <= 128;
  const parts = address.split('.');
  return parts.length === 4 && parts.every(part => part !== '' && Number(part) <= 255) && Number(bits) <= 32;
}
