// kube-proxy with every kind of wrong flag, configuration and kubeconfig, in a table.
import {expect, test} from 'vitest';
import {Files} from '../../sim/files.ts';
import {readProxyStart} from './proxy-config.ts';

const CONFIG = '/var/lib/kube-proxy/config.conf';
const KUBECONFIG = '/var/lib/kube-proxy/kubeconfig.conf';
const GOOD = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: ${KUBECONFIG}}
clusterCIDR: 10.244.0.0/16
mode: ""
`;
const SERVER = `apiVersion: v1
kind: Config
clusters: [{name: default, cluster: {server: "https://10.0.0.10:6443"}}]
contexts: [{name: default, context: {cluster: default, user: default}}]
current-context: default
users: [{name: default, user: {token: t}}]
`;

function started(config = GOOD, {flags = [`--config=${CONFIG}`], kubeconfig = SERVER as string | undefined} = {}) {
  const files = new Files(() => 0);
  files.place(CONFIG, config);
  if (kubeconfig !== undefined) files.place(KUBECONFIG, kubeconfig);
  return readProxyStart(['/usr/local/bin/kube-proxy', ...flags], files);
}

test('as kubeadm lays it out', () => {
  const start = started(GOOD, {flags: [`--config=${CONFIG}`, '--hostname-override=node-1']});
  expect(start).toMatchObject({
    ok: true,
    lines: [],
    config: {hostname: 'node-1', clusterCidr: '10.244.0.0/16', api: {host: '10.0.0.10', port: 6443, token: 't'}},
  });
});

test('without any flag it asks as a pod does', () => {
  expect(started(GOOD, {flags: []})).toEqual({
    ok: true,
    lines: [],
    config: {hostname: undefined, clusterCidr: undefined, api: undefined},
  });
});

test('a field that it does not have is told of, and no more', () => {
  const start = started(`${GOOD}udpIdleTimeout: 250ms\n`);
  expect(start.ok).toBe(true);
  expect(start.lines[0]).toContain(
    String.raw`"Using lenient decoding as strict decoding failed" err="strict decoding error: unknown field \"udpIdleTimeout\""`,
  );
});

test.each([
  ['--foo', 'unknown flag: --foo'],
  ['--v=x', 'invalid argument "x" for "-v, --v" flag'],
  ['--bind-address=x', 'invalid argument "x" for "--bind-address" flag'],
  ['--config', 'flag needs an argument: --config'],
  ['stray', 'does not take any arguments'],
  ['--feature-gates=Nonsense=true', 'unrecognized feature gate: Nonsense'],
  [
    '--config=/var/lib/kube-proxy/configuration.conf',
    'failed complete: open /var/lib/kube-proxy/configuration.conf: no such file or directory',
  ],
  ['--config=/var/lib/kube-proxy', 'failed complete: read /var/lib/kube-proxy: is a directory'],
  ['--proxy-mode=userspace', 'failed validate: KubeProxyConfiguration.ProxyMode: Invalid value:'],
  ['--cluster-cidr=10.244.0.0', 'failed validate: KubeProxyConfiguration.ClusterCIDR: Invalid value:'],
  ['--kubeconfig=/nowhere', 'stat /nowhere: no such file or directory'],
])('%s', (flag, says) => {
  const start = started(GOOD, {flags: [flag]});
  expect(start.ok).toBe(false);
  expect(start.lines.join('\n')).toContain(says);
});

test.each([
  ['rubbish: [', 'failed complete: failed to decode: yaml: did not find expected node content'],
  [
    `${GOOD}oomScoreAdj: low\n`,
    'json: cannot unmarshal string into Go struct field KubeProxyConfiguration.oomScoreAdj of type int32',
  ],
  [`${GOOD}iptables: {syncPeriod: 30}\n`, 'Go struct field KubeProxyIPTablesConfiguration.iptables.syncPeriod of type string'],
  ['', "failed complete: failed to decode: Object 'Kind' is missing in 'null'"],
  [
    GOOD.replace('v1alpha1', 'v1'),
    String.raw`no kind \"KubeProxyConfiguration\" is registered for version \"kubeproxy.config.k8s.io/v1\"`,
  ],
  [GOOD.replace('KubeProxyC', 'KubeletC'), String.raw`no kind \"KubeletConfiguration\" is registered for version`],
  [
    GOOD.replace('mode: ""', 'mode: iptable'),
    String.raw`ProxyMode: Invalid value: \"iptable\": must be iptables, ipvs, nftables or blank`,
  ],
  [GOOD.replace('/16', '/99'), 'ClusterCIDR: Invalid value:'],
  [GOOD.replace('kubeconfig.conf', 'kubeconfig'), 'stat /var/lib/kube-proxy/kubeconfig: no such file or directory'],
])('a configuration: %s', (text, says) => {
  const start = started(text);
  expect(start.ok).toBe(false);
  expect(start.lines.join('\n')).toContain(says);
});
