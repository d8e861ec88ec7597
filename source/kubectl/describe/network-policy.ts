// The page of a network policy: what it lets in and out, in words.
import type {NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort} from '../../api/kinds/networking-v1.ts';
import {selectorText} from '../../api/meta/selector.ts';
import {formatTime, parseTime} from '../../api/meta/time.ts';
import type {Describer} from './describer.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

export const describeNetworkPolicy: Describer = async object => {
  const {metadata, spec} = object as unknown as NetworkPolicy;
  const types = spec?.policyTypes ?? [];
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(
    0,
    'Created on',
    `${formatTime(parseTime(metadata.creationTimestamp) ?? 0)
      .replace('T', ' ')
      .replace('Z', '')} +0000 UTC`,
  );
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.add(0, 'Spec:');
  const selected = selectorText(spec?.podSelector);
  lines.add(
    1,
    `PodSelector:     ${selected === '<none>' ? '<none> (Allowing the specific traffic to all pods in this namespace)' : selected}`,
  );
  if (types.includes('Ingress')) {
    lines.add(1, 'Allowing ingress traffic:');
    addWays(
      lines,
      (spec?.ingress ?? []).map(({from, ports}) => ({peers: from, ports})),
      INWARD,
    );
  } else lines.add(1, 'Not affecting ingress traffic');
  if (types.includes('Egress')) {
    lines.add(1, 'Allowing egress traffic:');
    addWays(
      lines,
      (spec?.egress ?? []).map(({to, ports}) => ({peers: to, ports})),
      OUTWARD,
    );
  } else lines.add(1, 'Not affecting egress traffic');
  lines.add(1, `Policy Types: ${types.join(', ')}`);
  return lines.text();
};

/** The words for one direction. */
interface Direction {
  readonly side: 'From' | 'To';
  readonly isolated: string;
  readonly open: string;
}

const INWARD: Direction = {side: 'From', isolated: 'ingress', open: 'source'};
const OUTWARD: Direction = {side: 'To', isolated: 'egress', open: 'destination'};

interface Way {
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
  readonly ports: readonly NetworkPolicyPort[] | undefined;
}

function addWays(lines: Lines, ways: readonly Way[], {side, isolated, open}: Direction): void {
  if (ways.length === 0) lines.add(2, `<none> (Selected pods are isolated for ${isolated} connectivity)`);
  for (const [index, {peers = [], ports = []}] of ways.entries()) {
    if (ports.length === 0) lines.add(2, 'To Port: <any> (traffic allowed to all ports)');
    for (const port of ports) lines.add(2, portText(port));
    if (peers.length === 0) lines.add(2, `${side}: <any> (traffic not restricted by ${open})`);
    for (const peer of peers) {
      lines.add(2, `${side}:`);
      addPeer(lines, peer);
    }
    if (index < ways.length - 1) lines.add(2, '----------');
  }
}

function portText({port, endPort, protocol = 'TCP'}: NetworkPolicyPort): string {
  return endPort === undefined
    ? `To Port: ${port ?? '<nil>'}/${protocol}`
    : `To Port Range: ${port ?? ''}-${endPort}/${protocol}`;
}

function addPeer(lines: Lines, {podSelector, namespaceSelector, ipBlock}: NetworkPolicyPeer): void {
  if (ipBlock) {
    lines.add(3, 'IPBlock:');
    lines.add(4, `CIDR: ${ipBlock.cidr}`);
    lines.add(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
    return;
  }
  if (namespaceSelector) lines.add(3, `NamespaceSelector: ${selectorText(namespaceSelector)}`);
  if (podSelector) lines.add(3, `PodSelector: ${selectorText(podSelector)}`);
}
