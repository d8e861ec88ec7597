// The rules as `iptables-save` prints them on a node in iptables mode. Packets are not walked through this text: the table that
// makes it decides (table.ts); the text is what a person reads to find out the same.
//
// A Service's port is a chain KUBE-SVC-…, each endpoint a chain KUBE-SEP-…; what comes from outside goes through KUBE-EXT-…, and
// with a policy of Local on to the endpoints of this node in KUBE-SVL-…. The letters are a hash of the name, so they are the same
// on every node. Rules with `statistic` share the packets out: of three endpoints the first takes a third, the second half of
// the rest, the last what is left.
import {compareStrings} from '../../api/meta/go-text.ts';
import {chainHash} from './chain-hash.ts';
import type {PortEndpoint} from './endpoints.ts';
import {externalAddresses, type PortRules} from './service-rules.ts';

const FILTER_FIRST = [
  '-A INPUT -j KUBE-FIREWALL',
  '-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
  '-A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS',
  '-A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES',
  '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
  '-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD',
  '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
  '-A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES',
  '-A OUTPUT -j KUBE-FIREWALL',
  '-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL',
  '-A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
];

const FILTER_MIDDLE = [
  '-A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP',
  '-A KUBE-FORWARD -m conntrack --ctstate INVALID -m nfacct --nfacct-name  ct_state_invalid_dropped_pkts -j DROP',
  '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x4000/0x4000 -j ACCEPT',
  '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule" -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
];

const FILTER_CHAINS = [
  'KUBE-EXTERNAL-SERVICES',
  'KUBE-FIREWALL',
  'KUBE-FORWARD',
  'KUBE-NODEPORTS',
  'KUBE-PROXY-CANARY',
  'KUBE-PROXY-FIREWALL',
  'KUBE-SERVICES',
];

/** The whole text, for the ports of all Services in the order of their names. */
export function iptablesText(rules: readonly PortRules[], clusterCidr: string): string {
  return [...mangle(), ...filter(rules), ...nat(rules, clusterCidr)].map(line => `${line}\n`).join('');
}

function mangle(): string[] {
  return [
    '*mangle',
    ...builtIn(['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING']),
    ':KUBE-PROXY-CANARY - [0:0]',
    'COMMIT',
  ];
}

function builtIn(chains: readonly string[]): string[] {
  return chains.map(chain => `:${chain} ACCEPT [0:0]`);
}

function own(chains: Iterable<string>): string[] {
  return [...new Set(chains)].sort(compareStrings).map(chain => `:${chain} - [0:0]`);
}

function filter(rules: readonly PortRules[]): string[] {
  const healthChecks = rules
    .filter(rule => rule.service.spec?.healthCheckNodePort)
    .map(
      rule =>
        `-A KUBE-NODEPORTS -p tcp -m comment --comment "${rule.name} health check node port" -m tcp --dport ${rule.service.spec?.healthCheckNodePort} -j ACCEPT`,
    );
  return [
    '*filter',
    ...builtIn(['INPUT', 'FORWARD', 'OUTPUT']),
    ...own(FILTER_CHAINS),
    ...FILTER_FIRST,
    ...rules.flatMap(refusedOutside),
    ...FILTER_MIDDLE,
    ...healthChecks,
    ...rules.flatMap(refusedInside),
    'COMMIT',
  ];
}

/** How a target that forwards nothing is written; undefined for one that forwards. */
function refusal(action: 'forward' | 'reject' | 'drop'): {readonly why: string; readonly jump: string} | undefined {
  if (action === 'forward') return undefined;
  if (action === 'drop') return {why: 'has no local endpoints', jump: 'DROP'};
  return {why: 'has no endpoints', jump: 'REJECT --reject-with icmp-port-unreachable'};
}

function refusedOutside({name, port, protocol, service, external}: PortRules): string[] {
  const refused = refusal(external.outside.action);
  if (!refused) return [];
  const proto = protocol.toLowerCase();
  const comment = `-m comment --comment "${name} ${refused.why}"`;
  const {external: addresses, balancer} = externalAddresses(service);
  const lines = [...addresses, ...balancer].map(
    address =>
      `-A KUBE-EXTERNAL-SERVICES -d ${address}/32 -p ${proto} ${comment} -m ${proto} --dport ${port.port} -j ${refused.jump}`,
  );
  if (port.nodePort)
    lines.push(
      `-A KUBE-EXTERNAL-SERVICES -p ${proto} ${comment} -m addrtype --dst-type LOCAL -m ${proto} --dport ${port.nodePort} -j ${refused.jump}`,
    );
  return lines;
}

function refusedInside({name, port, protocol, service, cluster}: PortRules): string[] {
  const refused = refusal(cluster.inside.action);
  if (!refused) return [];
  const proto = protocol.toLowerCase();
  return [
    `-A KUBE-SERVICES -d ${service.spec?.clusterIP}/32 -p ${proto} -m comment --comment "${name} ${refused.why}" -m ${proto} --dport ${port.port} -j ${refused.jump}`,
  ];
}

interface Chains {
  readonly rule: PortRules;
  readonly svc: string;
  readonly svl: string;
  readonly ext: string;
  /** The proto flag in its two places. */
  readonly proto: string;
  readonly usesSvc: boolean;
  readonly usesSvl: boolean;
  readonly usesExt: boolean;
}

function chainsOf(rule: PortRules): Chains {
  const {name, protocol, service, port, external, cluster, all} = rule;
  const hash = chainHash(`${name}${protocol.toLowerCase()}`);
  const {external: addresses, balancer} = externalAddresses(service);
  const hasOutside = port.nodePort !== undefined || addresses.length + balancer.length > 0;
  const internalLocal = service.spec?.internalTrafficPolicy === 'Local';
  const usesExt = hasOutside && all.length > 0;
  const localTargets =
    (internalLocal && cluster.inside.action === 'forward') ||
    (external.keepsSource && usesExt && external.outside.action === 'forward');
  return {
    rule,
    svc: `KUBE-SVC-${hash}`,
    svl: `KUBE-SVL-${hash}`,
    ext: `KUBE-EXT-${hash}`,
    proto: protocol.toLowerCase(),
    usesSvc: all.length > 0 && (!internalLocal || usesExt),
    usesSvl: localTargets,
    usesExt,
  };
}

function nat(rules: readonly PortRules[], clusterCidr: string): string[] {
  const chains = rules.map(chainsOf);
  const endpoints = chains.flatMap(each =>
    each.usesSvc || each.usesSvl ? reachable(each).map(endpoint => ({each, endpoint})) : [],
  );
  const names = [
    ...chains.flatMap(each => [
      ...(each.usesExt ? [each.ext] : []),
      ...(each.usesSvc ? [each.svc] : []),
      ...(each.usesSvl ? [each.svl] : []),
    ]),
    ...endpoints.map(({each, endpoint}) => sep(each, endpoint)),
  ];
  const byChain = (a: string, b: string) => compareStrings(a.split(' ')[1] ?? '', b.split(' ')[1] ?? '');
  const perService = [
    ...chains.flatMap(each => outsideRules(each, clusterCidr)),
    ...chains.flatMap(nodePortRules),
    ...endpoints.flatMap(({each, endpoint}) => endpointRules(each, endpoint)),
    ...chains.flatMap(portalRules),
    ...chains.flatMap(each => sharingRules(each, clusterCidr)),
    '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
    '-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN',
    '-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0',
    '-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully',
    '-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS',
  ].sort(byChain);
  return [
    '*nat',
    ...builtIn(['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING']),
    ...own([...names, 'KUBE-MARK-MASQ', 'KUBE-NODEPORTS', 'KUBE-POSTROUTING', 'KUBE-PROXY-CANARY', 'KUBE-SERVICES']),
    '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    '-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING',
    ...perService,
    'COMMIT',
  ];
}

/** The endpoints that any chain of a port leads to. */
function reachable({rule, usesSvc}: Chains): readonly PortEndpoint[] {
  return usesSvc ? rule.all : rule.all.filter(endpoint => endpoint.local);
}

function sep({rule, proto}: Chains, endpoint: PortEndpoint): string {
  return `KUBE-SEP-${chainHash(`${rule.name}${proto}${endpoint.address}:${endpoint.port}`)}`;
}

function outsideRules({rule, svc, svl, ext, usesExt, usesSvl}: Chains, clusterCidr: string): string[] {
  const {name, external} = rule;
  if (!usesExt) return [];
  const comment = (words: string) => `-m comment --comment "${words}"`;
  if (!external.keepsSource)
    return [
      `-A ${ext} ${comment(`masquerade traffic for ${name} external destinations`)} -j KUBE-MARK-MASQ`,
      `-A ${ext} -j ${svc}`,
    ];
  return [
    `-A ${ext} -s ${clusterCidr} ${comment(`pod traffic for ${name} external destinations`)} -j ${svc}`,
    `-A ${ext} ${comment(`masquerade LOCAL traffic for ${name} external destinations`)} -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ`,
    `-A ${ext} ${comment(`route LOCAL traffic for ${name} external destinations`)} -m addrtype --src-type LOCAL -j ${svc}`,
    ...(usesSvl ? [`-A ${ext} -j ${svl}`] : []),
  ];
}

function nodePortRules({rule, ext, proto, usesExt}: Chains): string[] {
  const {nodePort} = rule.port;
  if (!nodePort || !usesExt) return [];
  const port = `-m ${proto} --dport ${nodePort}`;
  return [
    `-A KUBE-NODEPORTS -d 127.0.0.0/8 -p ${proto} -m comment --comment "${rule.name}" ${port} -m nfacct --nfacct-name  localhost_nps_accepted_pkts -j ${ext}`,
    `-A KUBE-NODEPORTS -p ${proto} -m comment --comment "${rule.name}" ${port} -j ${ext}`,
  ];
}

function endpointRules(chains: Chains, endpoint: PortEndpoint): string[] {
  const {rule, proto} = chains;
  const chain = sep(chains, endpoint);
  const sticky = isSticky(rule) ? ` -m recent --set --name ${chain} --mask 255.255.255.255 --rsource` : '';
  return [
    `-A ${chain} -s ${endpoint.address}/32 -m comment --comment "${rule.name}" -j KUBE-MARK-MASQ`,
    `-A ${chain} -p ${proto} -m comment --comment "${rule.name}"${sticky} -m ${proto} -j DNAT --to-destination ${endpoint.address}:${endpoint.port}`,
  ];
}

function isSticky({service}: PortRules): boolean {
  return service.spec?.sessionAffinity === 'ClientIP';
}

function portalRules({rule, svc, svl, ext, proto, usesExt}: Chains): string[] {
  const {name, port, service, cluster} = rule;
  const {external, balancer} = externalAddresses(service);
  const to = (address: string, what: string, chain: string) =>
    `-A KUBE-SERVICES -d ${address}/32 -p ${proto} -m comment --comment "${name} ${what}" -m ${proto} --dport ${port.port} -j ${chain}`;
  const internal = service.spec?.internalTrafficPolicy === 'Local' ? svl : svc;
  return [
    ...(cluster.inside.action === 'forward' ? [to(service.spec?.clusterIP ?? '', 'cluster IP', internal)] : []),
    ...(usesExt ? external.map(address => to(address, 'external IP', ext)) : []),
    ...(usesExt ? balancer.map(address => to(address, 'loadbalancer IP', ext)) : []),
  ];
}

function sharingRules(chains: Chains, clusterCidr: string): string[] {
  const {rule, svc, svl, proto, usesSvc, usesSvl} = chains;
  const local = rule.all.filter(endpoint => endpoint.local);
  const masquerade = (chain: string) =>
    `-A ${chain} ! -s ${clusterCidr} -d ${rule.service.spec?.clusterIP}/32 -p ${proto} -m comment --comment "${rule.name} cluster IP" -m ${proto} --dport ${rule.port.port} -j KUBE-MARK-MASQ`;
  const internalLocal = rule.service.spec?.internalTrafficPolicy === 'Local';
  return [
    ...(usesSvc ? [...(internalLocal ? [] : [masquerade(svc)]), ...shares(chains, svc, rule.all)] : []),
    ...(usesSvl ? [...(internalLocal ? [masquerade(svl)] : []), ...shares(chains, svl, local)] : []),
  ];
}

function shares(chains: Chains, chain: string, endpoints: readonly PortEndpoint[]): string[] {
  const {rule} = chains;
  const seconds = rule.service.spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800;
  const comment = (endpoint: PortEndpoint) =>
    `-A ${chain} -m comment --comment "${rule.name} -> ${endpoint.address}:${endpoint.port}"`;
  const remembered = isSticky(rule)
    ? endpoints.map(endpoint => {
        const to = sep(chains, endpoint);
        return `${comment(endpoint)} -m recent --rcheck --seconds ${seconds} --reap --name ${to} --mask 255.255.255.255 --rsource -j ${to}`;
      })
    : [];
  const shared = endpoints.map((endpoint, index) => {
    const left = endpoints.length - index;
    const share = left === 1 ? '' : ` -m statistic --mode random --probability ${(1 / left).toFixed(11)}`;
    return `${comment(endpoint)}${share} -j ${sep(chains, endpoint)}`;
  });
  return [...remembered, ...shared];
}
