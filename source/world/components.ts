// Images that are components of the cluster: what runs in their containers. They find the API server and prove who they are as any
// pod does, by the environment and the service account token that is mounted.
import type {ComponentContext, StartComponent} from '../cluster/runtime/surroundings.ts';
import {STATIC_PODS} from '../api/kubeadm/manifests.ts';
import {startAttacher} from '../cluster/csi/attacher.ts';
import type {PartOptions} from '../cluster/csi/context.ts';
import {startProvisioner} from '../cluster/csi/provisioner.ts';
import {startRegistrar} from '../cluster/csi/registrar.ts';
import {startResizer} from '../cluster/csi/resizer.ts';
import {startDns} from '../cluster/dns/start.ts';
import {startCertgen} from '../cluster/ingress-nginx/certgen.ts';
import {startIngress} from '../cluster/ingress-nginx/start.ts';
import {startMetricsServer} from '../cluster/metrics-server/start.ts';
import {startProxy} from '../cluster/proxy/start.ts';
import {Client} from '../client/client.ts';
import {API_ADDRESS, API_PORT} from './description.ts';
import type {Authority} from './authority.ts';
import {nameOfProgram, type ControlPlane} from './control-plane.ts';
import type {Host} from './host.ts';
import type {SiteNetwork} from './node-network.ts';
import type {ComponentConfig} from './processes/kubeconfig-file.ts';
import {failWith} from './processes/launch.ts';
import {readProxyStart} from './processes/proxy-config.ts';

const SIDECARS = 'registry.k8s.io/sig-storage';
/** How many disks a node takes. */
const MOST_DISKS = 26;
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Where a component is. */
interface Place {
  readonly host: Host;
  readonly network: SiteNetwork;
  readonly podNetwork: string;
}

/** The components of a node's containers, by repository. */
export function componentsFor(place: Place & {readonly controlPlane: ControlPlane}): ReadonlyMap<string, StartComponent> {
  const ofControlPlane: StartComponent = context => runControlPlane(context, place.host, place.controlPlane);
  return new Map<string, StartComponent>([
    ...STATIC_PODS.map(name => [`registry.k8s.io/${name}`, ofControlPlane] as const),
    ['registry.k8s.io/kube-proxy', context => proxy(context, place)],
    ['registry.k8s.io/coredns/coredns', dns],
    ['registry.k8s.io/metrics-server/metrics-server', metrics],
    ['registry.k8s.io/ingress-nginx/controller', ingress],
    ['registry.k8s.io/ingress-nginx/kube-webhook-certgen', certgen],
    [`${SIDECARS}/csi-provisioner`, context => startProvisioner(partOf(context, place.host))],
    [`${SIDECARS}/csi-attacher`, context => startAttacher(partOf(context, place.host))],
    [`${SIDECARS}/csi-resizer`, context => startResizer(partOf(context, place.host))],
    [`${SIDECARS}/csi-node-driver-registrar`, context => registrar(context, place.host)],
  ]);
}

/** A component of the control plane in a static pod: it counts as the machine's own process, as `ps` would show it. */
function runControlPlane({daemon, argv, files}: ComponentContext, host: Host, controlPlane: ControlPlane): void {
  host.enroll(daemon, nameOfProgram(argv));
  controlPlane.launch({daemon, argv, files: files(), machine: host});
}

function proxy(context: ComponentContext, {host, network, podNetwork}: Place): void {
  const {daemon} = context;
  const start = readProxyStart(context.argv, context.files());
  if (!start.ok) return failWith(daemon, start.lines, 1);
  for (const line of start.lines) daemon.print(line);
  const {api, hostname = context.node, clusterCidr = podNetwork} = start.config;
  const client = api ? clientBy(context, api) : clientOf(context, serviceOf(context));
  startProxy({daemon, client, nodeName: hostname, clusterCidr, rules: network.stackOf(host).rules});
}

/** A client as a kubeconfig describes it. The token of its pod is read anew each time, as it is renewed. */
function clientBy(context: ComponentContext, {host, port, certificate, token, trusts}: ComponentConfig): Client {
  const {daemon, files} = context;
  const isOwn = token !== undefined && files().read(TOKEN)?.trim() === token;
  const bearer = token === undefined ? {} : {token: () => (isOwn ? files().read(TOKEN)?.trim() : token)};
  const credentials = {...(certificate ? {certificate} : {}), ...bearer};
  return new Client({daemon, host, port, trusts, credentials, userAgent: 'kube-proxy/v1.35.4'});
}

/** kube-proxy as a process of a machine, for clusters that have no pods to run it in. */
export function plainProxy({host, network, podNetwork}: Place, authority: Authority): void {
  const daemon = host.newDaemon('kube-proxy');
  host.commandLines.set('kube-proxy', [
    '/usr/local/bin/kube-proxy',
    '--config=/var/lib/kube-proxy/config.conf',
    `--hostname-override=${host.name}`,
  ]);
  const certificate = authority.issue('system:kube-proxy');
  const client = new Client({
    daemon,
    host: API_ADDRESS,
    port: API_PORT,
    credentials: {certificate},
    userAgent: 'kube-proxy/v1.35.4',
  });
  startProxy({daemon, client, nodeName: host.name, clusterCidr: podNetwork, rules: network.stackOf(host).rules});
}

function metrics(context: ComponentContext): void {
  const token = () => context.files().read(TOKEN);
  startMetricsServer({daemon: context.daemon, client: clientOf(context, serviceOf(context)), token});
}

function ingress(context: ComponentContext): void {
  const {daemon, argv, environment, files, pod, node} = context;
  startIngress({daemon, client: clientOf(context, serviceOf(context)), argv, environment, files, pod, node});
}

function certgen(context: ComponentContext): void {
  startCertgen({daemon: context.daemon, client: clientOf(context, serviceOf(context)), argv: context.argv});
}

function partOf(context: ComponentContext, {physics}: Host): PartOptions {
  const {daemon, pod} = context;
  return {daemon, client: clientOf(context, serviceOf(context)), disks: physics.disks, pod: pod.name};
}

function registrar({daemon, node}: ComponentContext, {files}: Host): void {
  startRegistrar({daemon, files, node, maxVolumes: MOST_DISKS});
}

function dns(context: ComponentContext): void {
  const {daemon, argv, files} = context;
  const path = argv[argv.indexOf('-conf') + 1] ?? '/Corefile';
  startDns({
    daemon,
    client: clientOf(context, serviceOf(context)),
    path,
    corefile: () => files().read(path),
    resolvConf: files().read('/etc/resolv.conf') ?? '',
  });
}

/** A client with the pod's own token. */
export function clientOf(
  {daemon, files}: ComponentContext,
  {host, port}: {readonly host: string; readonly port: number},
): Client {
  return new Client({daemon, host, port, credentials: {token: () => files().read(TOKEN)}, userAgent: `${daemon.name}/v1.35.4`});
}

/** The API server as pods find it: the `kubernetes` Service. */
export function serviceOf({environment}: ComponentContext): {readonly host: string; readonly port: number} {
  return {
    host: environment.get('KUBERNETES_SERVICE_HOST') ?? '10.96.0.1',
    port: Number(environment.get('KUBERNETES_SERVICE_PORT') ?? 443),
  };
}
