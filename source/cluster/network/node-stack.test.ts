// Calls through the stacks of two nodes and of a laptop, over a network with a name server.
import {beforeEach, expect, test} from 'vitest';
import {isDnsQuery, type DnsAnswer} from '../../api/wire/dns.ts';
import type {RuleTable, ServiceRule, Target} from '../../api/wire/packet-rules.ts';
import {Clock} from '../../sim/clock.ts';
import type {Dial} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Network} from '../../sim/network.ts';
import {NodeStack} from './node-stack.ts';

const RESOLV = 'search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n';
const NAMES = new Map([['web.shop.svc.cluster.local', '10.96.0.80']]);

let clock: Clock;
let network: Network;
let first: NodeStack;
let second: NodeStack;
let asked: string[];
let fromPod: Dial;
let fromLaptop: Dial;

function forward(...places: readonly string[]): Target {
  return {
    action: 'forward',
    destinations: places.map(place => ({address: place.split(':')[0] ?? '', port: Number(place.split(':')[1])})),
  };
}

function rule(name: string, inside: Target, outside = inside, keepsSource = false): ServiceRule {
  return {name, inside, outside, keepsSource};
}

function tableOf(services: Readonly<Record<string, ServiceRule>>): RuleTable {
  const ports = Object.keys(services).filter(way => way.startsWith('TCP/:'));
  return {
    service: (protocol, address, port) => services[`${protocol}/${address}:${port}`],
    nodePort: (protocol, port) => services[`${protocol}/:${port}`],
    nodePorts: ports.map(way => ({protocol: 'TCP', port: Number(way.slice(5))})),
    text: () => '',
  };
}

const DNS = {'UDP/10.96.0.10:53': rule('kube-system/kube-dns:dns', forward('10.244.2.53:53'))};

/** What a call comes to, and after how long. */
function call(dial: Dial, host: string, port: number, waitMs = 30_000): string {
  const since = clock.now;
  let outcome = 'silence';
  dial(
    host,
    port,
    {path: '/'},
    {
      answer: answer => (outcome = String(answer)),
      end: failure => (outcome = `${failure} after ${Math.round(clock.now - since)} ms`),
    },
  );
  const until = clock.now + waitMs;
  while (clock.next <= until && outcome === 'silence') clock.step();
  if (outcome === 'silence') clock.settle(until);
  return outcome;
}

beforeEach(() => {
  clock = new Clock();
  network = new Network(clock);
  asked = [];
  for (const [host, address] of [
    ['node-1', '10.0.0.21'],
    ['node-2', '10.0.0.22'],
    ['laptop', '10.0.0.100'],
    ['node-1', '10.244.1.5'],
    ['node-1', '10.244.1.20'],
    ['node-2', '10.244.2.17'],
    ['node-2', '10.244.2.53'],
  ] as const)
    network.attach(host, address);
  for (const address of ['10.244.1.20', '10.244.2.17'])
    network.listen(address, 8080, each => each.answer(`${address} hears ${each.from}`));
  network.listen('10.244.2.53', 53, each => {
    if (!isDnsQuery(each.request)) return;
    const {name} = each.request;
    asked.push(name);
    const data = NAMES.get(name);
    const answer: DnsAnswer = {
      kind: 'dns',
      code: data ? 'NOERROR' : 'NXDOMAIN',
      authoritative: true,
      records: data ? [{name, type: 'A', ttl: 30, data}] : [],
    };
    each.answer(answer);
  });
  const isPod = (address: string) => address.startsWith('10.244.');
  const stack = (address: string) => new NodeStack({network, clock, dice: new Dice(3).of(address), address, isPod});
  first = stack('10.0.0.21');
  second = stack('10.0.0.22');
  fromPod = first.dialFrom('10.244.1.5', {
    hosts: () => '127.0.0.1 localhost\n10.244.1.5 client\n10.244.2.17 friend\n',
    resolvConf: () => RESOLV,
  });
  fromLaptop = stack('10.0.0.100').dialFrom('10.0.0.100', {hosts: () => '10.0.0.21 node-1\n', resolvConf: () => ''});
});

test('a name leads over DNS and the rules to a pod', () => {
  first.rules.replace(tableOf({...DNS, 'TCP/10.96.0.80:80': rule('shop/web:http', forward('10.244.2.17:8080'))}));
  expect(call(fromPod, 'web', 80)).toBe('10.244.2.17 hears 10.244.1.5');
  expect(asked).toEqual(['web.shop.svc.cluster.local']);
});

test('a name that is nowhere was asked for in every search domain', () => {
  first.rules.replace(tableOf(DNS));
  expect(call(fromPod, 'web.other', 80)).toMatch(/^unresolved after 1 ms/);
  expect(asked).toEqual([
    'web.other.shop.svc.cluster.local',
    'web.other.svc.cluster.local',
    'web.other.cluster.local',
    'web.other',
  ]);
});

test('a name in /etc/hosts needs no DNS, and localhost is the pod itself', () => {
  expect(call(fromPod, 'friend', 8080)).toBe('10.244.2.17 hears 10.244.1.5');
  expect(call(fromPod, 'localhost', 8080)).toMatch(/^refused/);
});

test('without rules the name server is silent, and the name is given up after two tries of five seconds', () => {
  expect(call(fromPod, 'web', 80, 9000)).toBe('silence');
  expect(call(fromPod, 'web', 80)).toBe('unresolved after 10000 ms');
});

test('a name server without endpoints refuses at once', () => {
  first.rules.replace(tableOf({'UDP/10.96.0.10:53': rule('kube-system/kube-dns:dns', {action: 'reject'})}));
  expect(call(fromPod, 'web', 80)).toMatch(/^unresolved after 0 ms/);
});

test.each<[string, ServiceRule | undefined, RegExp]>([
  ['no endpoints: refused at once', rule('shop/web', {action: 'reject'}), /^refused after 0 ms/],
  ['no endpoints here and a policy of Local: silence', rule('shop/web', {action: 'drop'}), /^silence/],
  ['no rule at all: silence', undefined, /^silence/],
])('a Service address: %s', (_name, found, outcome) => {
  first.rules.replace(tableOf(found ? {'TCP/10.96.0.80:80': found} : {}));
  expect(call(fromPod, '10.96.0.80', 80)).toMatch(outcome);
});

test('packets are shared out, and a sticky caller keeps its destination', () => {
  const both = forward('10.244.1.20:8080', '10.244.2.17:8080');
  first.rules.replace(
    tableOf({
      'TCP/10.96.0.80:80': rule('shop/web', both),
      'TCP/10.96.0.82:80': rule('shop/sticky', {...both, affinitySeconds: 60} as Target),
    }),
  );
  const spread = new Set(Array.from({length: 20}, () => call(fromPod, '10.96.0.80', 80)));
  expect(spread.size).toBe(2);
  expect(new Set(Array.from({length: 20}, () => call(fromPod, '10.96.0.82', 80))).size).toBe(1);
});

test('a node port is reached over the node, which hides the caller unless the policy is Local', () => {
  first.rules.replace(
    tableOf({
      'TCP/:30080': rule('shop/edge', forward('10.244.1.20:8080', '10.244.2.17:8080'), forward('10.244.1.20:8080'), true),
      'TCP/:30085': rule('shop/np', forward('10.244.2.17:8080')),
      'TCP/:30084': rule('shop/far', forward('10.244.2.17:8080'), {action: 'drop'}, true),
    }),
  );
  expect(call(fromLaptop, 'node-1', 30080)).toBe('10.244.1.20 hears 10.0.0.100');
  expect(call(fromLaptop, '10.0.0.21', 30085)).toBe('10.244.2.17 hears 10.0.0.21');
  expect(call(fromLaptop, '10.0.0.21', 30084)).toBe('silence');
  expect(call(fromPod, '10.0.0.21', 30084)).toBe('10.244.2.17 hears 10.0.0.21');
  first.rules.replace(tableOf({}));
  expect(call(fromLaptop, '10.0.0.21', 30085)).toMatch(/^refused/);
});

test('rules are those of the caller’s own node', () => {
  second.rules.replace(tableOf({'TCP/10.96.0.80:80': rule('shop/web', forward('10.244.2.17:8080'))}));
  expect(call(fromPod, '10.96.0.80', 80)).toBe('silence');
  expect(call(second.dialFrom('10.0.0.22', {hosts: () => '', resolvConf: () => ''}), '10.96.0.80', 80)).toBe(
    '10.244.2.17 hears 10.0.0.22',
  );
});

test('a call that is given up while its name is looked up reaches nobody', () => {
  first.rules.replace(tableOf({...DNS, 'TCP/10.96.0.80:80': rule('shop/web:http', forward('10.244.2.17:8080'))}));
  let heard = 0;
  const caller = fromPod('web', 80, {}, {answer: () => heard++, end: () => heard++});
  caller.cancel();
  while (clock.step());
  expect(heard).toBe(0);
});
