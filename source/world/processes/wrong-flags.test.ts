// Every component, started with every kind of wrong flag: whether it ends, and with which last line. The lines of the API server and of
// etcd were recorded where the recordings have them; the others follow the public sources of v1.35.
import {beforeEach, expect, test} from 'vitest';
import {bareWorld} from '../testing/bare-world.ts';
import type {World} from '../world.ts';

const NOPE = 'open /nope: no such file or directory';
const HOSTS = 'data does not contain any valid RSA or ECDSA certificates';

const failed = (why: string) => `run.go:72] "command failed" err=${JSON.stringify(why)}`;

/** The component, the flag, and what its last line ends with; without one it runs. */
const API_SERVER: readonly (readonly [string, string?])[] = [
  ['--audit-polcy-file=/x', 'Error: unknown flag: --audit-polcy-file'],
  ['--insecure-port=0', 'Error: unknown flag: --insecure-port'],
  ['-secure-port=6443', "Error: unknown shorthand flag: 's' in -secure-port=6443"],
  ['---v=1', 'Error: bad flag syntax: ---v=1'],
  ['word', 'Error: "kube-apiserver" does not take any arguments, got ["word"]'],
  ['--etcd-prefix', 'Error: flag needs an argument: --etcd-prefix'],
  [
    '--secure-port=https',
    'Error: invalid argument "https" for "--secure-port" flag: strconv.ParseInt: parsing "https": invalid syntax',
  ],
  [
    '--secure-port=99999999999999999999',
    'Error: invalid argument "99999999999999999999" for "--secure-port" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  ['--secure-port=70000', failed('--secure-port 70000 must be between 1 and 65535, inclusive. It cannot be turned off with 0')],
  ['--secure-port=0', failed('--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0')],
  [
    '--secure-port=10257',
    failed(
      'failed to create listener: failed to listen on 0.0.0.0:10257: listen tcp 0.0.0.0:10257: bind: address already in use',
    ),
  ],
  ['--bind-address=here', 'Error: invalid argument "here" for "--bind-address" flag: failed to parse IP: "here"'],
  [
    '--bind-address=10.0.0.99',
    failed(
      'failed to create listener: failed to listen on 10.0.0.99:6443: listen tcp 10.0.0.99:6443: bind: cannot assign requested address',
    ),
  ],
  [
    '--advertise-address=300.1.1.1',
    'Error: invalid argument "300.1.1.1" for "--advertise-address" flag: failed to parse IP: "300.1.1.1"',
  ],
  ['--event-ttl=5', 'Error: invalid argument "5" for "--event-ttl" flag: time: missing unit in duration "5"'],
  ['--event-ttl=5y', 'Error: invalid argument "5y" for "--event-ttl" flag: time: unknown unit "y" in duration "5y"'],
  [
    '--allow-privileged=maybe',
    'Error: invalid argument "maybe" for "--allow-privileged" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  ['--v=high', 'Error: invalid argument "high" for "-v, --v" flag: strconv.ParseInt: parsing "high": invalid syntax'],
  ['--v=4'],
  [
    '--service-node-port-range=1-x',
    'Error: invalid argument "1-x" for "--service-node-port-range" flag: strconv.Atoi: parsing "x": invalid syntax',
  ],
  [
    '--service-node-port-range=30000-70000',
    'Error: invalid argument "30000-70000" for "--service-node-port-range" flag: the port range cannot be greater than 65535: 30000-70000',
  ],
  [
    '--service-node-port-range=9-8',
    'Error: invalid argument "9-8" for "--service-node-port-range" flag: end port cannot be less than start port: 9-8',
  ],
  ['--runtime-config=beta', 'Error: invalid argument "beta" for "--runtime-config" flag: malformed pair, expect string=string'],
  ['--feature-gates=NoSuchGate=true', failed('unrecognized feature gate: NoSuchGate')],
  ['--feature-gates=AllAlpha', failed('missing bool value for AllAlpha')],
  [
    '--feature-gates=AllAlpha=maybe',
    failed('invalid value of AllAlpha=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'),
  ],
  ['--etcd-servers=', failed('--etcd-servers must be specified')],
  [
    '--storage-backend=etcd2',
    failed("--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'"),
  ],
  ['--service-cluster-ip-range=10.96.0.0/40', failed('service-cluster-ip-range[0] is not a valid cidr')],
  ['--service-cluster-ip-range=10.96.0.0/12,here', failed('service-cluster-ip-range[1] is not a valid cidr')],
  ['--authorization-mode=Node,RBCA', failed('authorization-mode "RBCA" is not a valid mode')],
  ['--authorization-mode=RBAC,RBAC', failed('authorization-mode ["RBAC" "RBAC"] has mode specified more than once')],
  ['--authorization-mode=Webhook', failed("authorization-mode Webhook's authorization config file not passed")],
  ['--authorization-mode=ABAC', failed("authorization-mode ABAC's authorization policy file not passed")],
  ['--authorization-policy-file=/x', failed('cannot specify --authorization-policy-file without mode ABAC')],
  [
    '--enable-admission-plugins=NodeRestriction,PodSecurityPolicy',
    failed('enable-admission-plugins plugin "PodSecurityPolicy" is unknown'),
  ],
  ['--disable-admission-plugins=Bogus', failed('disable-admission-plugins plugin "Bogus" is unknown')],
  [
    '--disable-admission-plugins=NodeRestriction',
    failed('[NodeRestriction] in enable-admission-plugins and disable-admission-plugins overlapped'),
  ],
  [
    '--service-account-issuer=',
    failed(
      '[service-account-issuer should not be an empty string, --service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together]',
    ),
  ],
  ['--max-requests-inflight=-1', failed('--max-requests-inflight can not be negative value')],
  [
    '--audit-policy-file=/etc/kubernetes/audit.yaml',
    failed(
      'loading audit policy file: failed to read file path "/etc/kubernetes/audit.yaml": open /etc/kubernetes/audit.yaml: no such file or directory',
    ),
  ],
  [
    '--audit-policy-file=/root/empty-policy.yaml',
    failed('loading audit policy file: loaded illegal policy with 0 rules: from file /root/empty-policy.yaml'),
  ],
  ['--client-ca-file=/nope', failed(NOPE)],
  ['--client-ca-file=/etc/hosts', failed(`error loading CA bundle for "client-ca-bundle::/etc/hosts": ${HOSTS}`)],
  ['--requestheader-client-ca-file=/nope', failed(NOPE)],
  ['--tls-cert-file=/nope', failed(NOPE)],
  ['--tls-cert-file=/etc/hosts', failed('tls: failed to find any PEM data in certificate input')],
  ['--tls-private-key-file=/etc/kubernetes/pki/sa.key', failed('tls: private key does not match public key')],
  ['--tls-private-key-file=/etc/hosts', failed('tls: failed to find any PEM data in key input')],
  ['--tls-min-version=VersionTLS09', failed('unknown tls version "VersionTLS09"')],
  ['--tls-cipher-suites=AES', failed("Cipher suite AES not supported or doesn't exist")],
  ['--service-account-signing-key-file=/nope', failed(`failed to parse service-account-issuer-key-file: ${NOPE}`)],
  ['--service-account-key-file=/nope', failed(NOPE)],
  ['--kubelet-client-certificate=/nope', failed(NOPE)],
  ['--kubelet-client-key=/etc/kubernetes/pki/sa.key', failed('tls: private key does not match public key')],
  ['--proxy-client-cert-file=/nope', failed(NOPE)],
  ['--token-auth-file=/nope', failed(NOPE)],
  [
    '--admission-control-config-file=/nope',
    failed(`failed to read plugin config: unable to read admission control configuration from "/nope" [${NOPE}]`),
  ],
  [
    '--encryption-provider-config=/nope',
    failed(`error while parsing file: error opening encryption provider configuration file "/nope": ${NOPE}`),
  ],
  ['--etcd-cafile=/nope', `instance.go:233] Error creating leases: error creating storage factory: ${NOPE}`],
  [
    '--etcd-keyfile=/etc/kubernetes/pki/sa.key',
    'instance.go:233] Error creating leases: error creating storage factory: tls: private key does not match public key',
  ],
];

const CONTROLLER_MANAGER: readonly (readonly [string, string?])[] = [
  ['--prot=10257', 'Error: unknown flag: --prot'],
  ['word', 'Error: "kube-controller-manager" does not take any arguments, got ["word"]'],
  [
    '--node-cidr-mask-size=4294967296',
    'Error: invalid argument "4294967296" for "--node-cidr-mask-size" flag: strconv.ParseInt: parsing "4294967296": value out of range',
  ],
  ['--controllers=bogus-controller', failed('"bogus-controller" is not in the list of known controllers')],
  ['--controllers=a,b', failed('["a" is not in the list of known controllers, "b" is not in the list of known controllers]')],
  ['--feature-gates=NoSuchGate=true', failed('unrecognized feature gate: NoSuchGate')],
  ['--secure-port=99999', failed('--secure-port 99999 must be between 1 and 65535, inclusive. It cannot be turned off with 0')],
  [
    '--secure-port=10259',
    failed(
      'failed to create listener: failed to listen on 127.0.0.1:10259: listen tcp 127.0.0.1:10259: bind: address already in use',
    ),
  ],
  [
    '--bind-address=10.0.0.99',
    failed(
      'failed to create listener: failed to listen on 10.0.0.99:10257: listen tcp 10.0.0.99:10257: bind: cannot assign requested address',
    ),
  ],
  ['--kubeconfig=/nope', failed('stat /nope: no such file or directory')],
  [
    '--kubeconfig=/root/not-a-map.conf',
    failed(
      'error loading config file "/root/not-a-map.conf": couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ),
  ],
  [
    '--kubeconfig=/root/no-context.conf',
    failed('invalid configuration: context was not found for specified context: nobody@kubernetes'),
  ],
  ['--kubeconfig=/root/no-server.conf', failed('invalid configuration: no server found for cluster "kubernetes"')],
  [
    '--kubeconfig=/root/no-files.conf',
    failed(
      `invalid configuration: [unable to read client-cert /nope for me due to ${NOPE}, unable to read certificate-authority /nope for kubernetes due to ${NOPE}]`,
    ),
  ],
  [
    '--authentication-kubeconfig=/nope',
    failed(
      'failed to get delegated authentication kubeconfig: failed to get delegated authentication kubeconfig: stat /nope: no such file or directory',
    ),
  ],
  [
    '--authorization-kubeconfig=/nope',
    failed(
      'failed to get delegated authorization kubeconfig: failed to get delegated authorization kubeconfig: stat /nope: no such file or directory',
    ),
  ],
  ['--client-ca-file=/nope', failed(`unable to load client CA provider: ${NOPE}`)],
  ['--requestheader-client-ca-file=/nope', failed(`unable to create request header authentication config: ${NOPE}`)],
  ['--leader-elect-lease-duration=5s', 'panic: leaseDuration must be greater than renewDeadline'],
  [
    '--root-ca-file=/nope',
    `controllermanager.go:257] "Error building controllers" err="error parsing root-ca-file at /nope: ${NOPE}"`,
  ],
  [
    '--root-ca-file=/etc/hosts',
    `controllermanager.go:257] "Error building controllers" err="error parsing root-ca-file at /etc/hosts: ${HOSTS}"`,
  ],
  [
    '--service-account-private-key-file=/nope',
    `controllermanager.go:257] "Error building controllers" err="error reading key for service account token controller: ${NOPE}"`,
  ],
  ['--cluster-signing-cert-file=/nope', 'open /nope: no such file or directory"'],
  ['--cluster-cidr=', 'node_ipam_controller.go:106] "Controller: Must specify --cluster-cidr if --allocate-node-cidrs is set"'],
  ['--cluster-cidr=10.244.0.0/16,fd00::/40', 'New CIDR set failed; the node CIDR size is too big'],
  ['--cluster-cidr=10.244.0.0/16,10.245.0.0/16', 'len of ClusterCIDRs==2 and they are not configured as dual stack'],
  ['--cluster-cidr=10.244.0.0/16,fd00', 'invalid CIDR[1]: fd00 (invalid CIDR address: fd00)'],
  ['--node-cidr-mask-size-ipv6=80', 'usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4 cluster'],
  ['--node-cidr-mask-size=8', 'must be less than or equal to --node-cidr-mask-size configured for CIDR family"'],
  ['--leader-elect=false'],
];

const SCHEDULER: readonly (readonly [string, string?])[] = [
  ['--bnid-address=127.0.0.1', 'Error: unknown flag: --bnid-address'],
  ['--policy-config-file=/x', 'Error: unknown flag: --policy-config-file'],
  ['--feature-gates=NoSuchGate=true', failed('unrecognized feature gate: NoSuchGate')],
  [
    '--secure-port=10257',
    failed(
      'failed to create listener: failed to listen on 127.0.0.1:10257: listen tcp 127.0.0.1:10257: bind: address already in use',
    ),
  ],
  ['--kubeconfig=/etc/kubernetes/nope.conf', failed('stat /etc/kubernetes/nope.conf: no such file or directory')],
  [
    '--authentication-kubeconfig=/etc/kubernetes/scheduler.config',
    failed(
      'failed to get delegated authentication kubeconfig: failed to get delegated authentication kubeconfig: stat /etc/kubernetes/scheduler.config: no such file or directory',
    ),
  ],
  ['--config=/etc/kubernetes/nope.yaml', failed('open /etc/kubernetes/nope.yaml: no such file or directory')],
  [
    '--config=/root/other-kind.yaml',
    failed(
      'no kind "Pod" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:32"',
    ),
  ],
  [
    '--leader-elect-lease-duration=5s',
    failed('leaderElection.leaseDuration: Invalid value: 10s: LeaseDuration must be greater than RenewDeadline'),
  ],
];

const fatal = (caller: string, msg: string, error: string) =>
  `"caller":"${caller}","msg":"${msg}","error":${JSON.stringify(error)}`;
const discovery = (error: string) => fatal('etcdmain/etcd.go:183', 'discovery failed', error);
const listener = (error: string) => fatal('etcdmain/etcd.go:198', 'listener failed', error);
const unverified = (error: string) => fatal('etcdmain/etcd.go:67', 'failed to verify flags', error);

const ETCD: readonly (readonly [string, string?])[] = [
  ['--bogus=1', 'flag provided but not defined: -bogus'],
  ['--snapshot-count=x', 'invalid value "x" for flag -snapshot-count: parse error'],
  ['--client-cert-auth=maybe', 'invalid boolean value "maybe" for -client-cert-auth: parse error'],
  [
    '--quota-backend-bytes=99999999999999999999',
    'invalid value "99999999999999999999" for flag -quota-backend-bytes: value out of range',
  ],
  [
    '--listen-client-urls=foo',
    'invalid value "foo" for flag -listen-client-urls: URL scheme must be http, https, unix, or unixs: foo',
  ],
  [
    '--listen-client-urls=127.0.0.1:2379',
    'invalid value "127.0.0.1:2379" for flag -listen-client-urls: parse "127.0.0.1:2379": first path segment in URL cannot contain colon',
  ],
  [
    '--listen-peer-urls=https://10.0.0.10',
    'invalid value "https://10.0.0.10" for flag -listen-peer-urls: URL address does not have the form "host:port": https://10.0.0.10',
  ],
  [
    '--advertise-client-urls=https://10.0.0.10:2379/v2',
    'invalid value "https://10.0.0.10:2379/v2" for flag -advertise-client-urls: URL must not contain a path: https://10.0.0.10:2379/v2',
  ],
  ['--initial-cluster-state=old', 'invalid value "old" for flag -initial-cluster-state: invalid value'],
  ['word', unverified("'word' is not a valid flag")],
  ['--listen-client-urls=https://cp-1:2379', unverified('expected IP in URL for binding (https://cp-1:2379)')],
  ['--heartbeat-interval=0', unverified('--heartbeat-interval must be >0 (set to 0ms)')],
  [
    '--heartbeat-interval=250',
    unverified('--election-timeout[1000ms] should be at least as 5 times as --heartbeat-interval[250ms]'),
  ],
  ['--election-timeout=70000', unverified('--election-timeout[70000ms] is too long, and should be set less than 50000ms')],
  ['--auto-compaction-mode=daily', unverified('unknown auto-compaction-mode "daily"')],
  ['--data-dir=/proc/x', discovery('cannot access data directory: mkdir /proc/x: no such file or directory')],
  ['--data-dir=/etc/hosts', discovery('cannot access data directory: mkdir /etc/hosts: not a directory')],
  ['--listen-client-urls=https://10.0.0.99:2379', discovery('listen tcp 10.0.0.99:2379: bind: cannot assign requested address')],
  ['--listen-metrics-urls=http://127.0.0.1:2379', discovery('listen tcp 127.0.0.1:2379: bind: address already in use')],
  ['--cert-file=/nope', listener(NOPE)],
  ['--key-file=/etc/kubernetes/pki/ca.key', listener('tls: private key does not match public key')],
  ['--trusted-ca-file=/nope', listener(NOPE)],
  ['--peer-cert-file=/nope', discovery(NOPE)],
  ['--peer-trusted-ca-file=/nope', discovery(NOPE)],
  ['--listen-client-urls=http://127.0.0.1:2379'],
];

const FILES: Readonly<Record<string, string>> = {
  'empty-policy.yaml': 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []\n',
  'not-a-map.conf': 'hello\n',
  'other-kind.yaml': 'apiVersion: v1\nkind: Pod\n',
  'no-context.conf': 'apiVersion: v1\nkind: Config\ncurrent-context: nobody@kubernetes\n',
  'no-server.conf':
    'apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: kubernetes, cluster: {}}]\ncontexts: [{name: a, context: {cluster: kubernetes}}]\n',
  'no-files.conf':
    'apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: kubernetes, cluster: {server: "https://10.0.0.10:6443", certificate-authority: /nope}}]\ncontexts: [{name: a, context: {cluster: kubernetes, user: me}}]\nusers: [{name: me, user: {client-certificate: /nope}}]\n',
};

let world: World | undefined;

async function opened(): Promise<World> {
  if (world) return world;
  const made = await bareWorld('solo', 5000);
  for (const [name, text] of Object.entries(FILES)) await made.player.run(`cat > /root/${name} <<'EOF'\n${text}EOF`, 'cp-1');
  world = made;
  return made;
}

async function out(words: string): Promise<string> {
  const answer = await (await opened()).fault(words);
  return 'out' in answer ? (answer.out ?? '') : '';
}

beforeEach(async () => {
  for (const component of ['etcd', 'apiserver', 'kcm', 'scheduler'])
    if ((await out(`alive ${component} cp-1`)) === 'no\n') await (await opened()).fault(`start ${component} cp-1`);
});

const all = Object.entries({apiserver: API_SERVER, kcm: CONTROLLER_MANAGER, scheduler: SCHEDULER, etcd: ETCD}).flatMap(
  ([component, cases]) => cases.map(([flag, line]) => [component, flag, line] as const),
);

test.each(all)('%s %s', async (component, flag, line) => {
  const {advance} = await opened().then(each => ({advance: (ms: number) => each.advance(ms)}));
  await (await opened()).fault(`stop ${component} cp-1`);
  await (await opened()).fault(`start ${component} cp-1 ${flag}`);
  for (let waited = 0; waited < 20 && line !== undefined && (await out(`alive ${component} cp-1`)) === 'yes\n'; waited++)
    await advance(1000);
  const alive = await out(`alive ${component} cp-1`);
  const lines = (await out(`logs ${component} cp-1`)).trimEnd().split('\n');
  const said =
    component === 'etcd' && lines.length > 1
      ? lines.find(each => /^(flag|invalid)|"level":"(fatal|warn)".*(error)/.test(each))
      : lines.at(-1);
  await (await opened()).fault(`stop ${component} cp-1`);
  if (line === undefined) expect(alive).toBe('yes\n');
  else
    expect({alive, said: said?.replace(/,"stacktrace.*/, '')}).toEqual({
      alive: 'no\n',
      said: expect.stringContaining(line) as string,
    });
});
