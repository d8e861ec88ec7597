// A CoreDNS on a network of two hosts: itself, and a server further up that knows example.org.
import {expect, test} from 'vitest';
import {isDnsQuery, type DnsAnswer} from '../../api/wire/dns.ts';
import type {Request} from '../../api/wire/http.ts';
import {Client} from '../../client/client.ts';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Network, type Call} from '../../sim/network.ts';
import {Trace} from '../../sim/trace.ts';
import {startDns} from './start.ts';

const COREFILE = `.:53 {
    errors
    health
    ready
    kubernetes cluster.local {
       pods insecure
       ttl 30
    }
    forward . /etc/resolv.conf
    loop
}
harbour.lan:53 {
    forward . 10.0.0.3
}
`;
const metadata = {namespace: 'shop', uid: '1', resourceVersion: '1'};
const OBJECTS: Readonly<Record<string, readonly unknown[]>> = {
  services: [
    {metadata: {...metadata, name: 'web'}, spec: {clusterIP: '10.96.0.80'}},
    {metadata: {...metadata, name: 'partner'}, spec: {type: 'ExternalName', externalName: 'example.org'}},
  ],
  namespaces: [{metadata: {...metadata, namespace: undefined, name: 'shop'}}],
};

interface Lab {
  readonly daemon: Daemon;
  ask(name: string): string;
  get(port: number, path: string): string;
  /** Somebody writes the Corefile anew, and a minute goes by. */
  edit(text: string): void;
}

function aLab({corefile = COREFILE as string | null, resolvConf = 'nameserver 10.0.0.2\n', apiIsUp = true} = {}): Lab {
  const clock = new Clock();
  const network = new Network(clock);
  for (const [host, address] of [
    ['node-1', '10.244.1.2'],
    ['api', '10.96.0.1'],
    ['site', '10.0.0.2'],
    ['site', '10.0.0.3'],
    ['client', '10.244.1.9'],
  ] as const)
    network.attach(host, address);
  const known = (names: Readonly<Record<string, string>>) => (call: Call) => {
    if (!isDnsQuery(call.request)) return;
    const {name} = call.request;
    const data = names[name];
    call.answer({
      kind: 'dns',
      code: data ? 'NOERROR' : 'NXDOMAIN',
      authoritative: true,
      records: data ? [{name, type: 'A', ttl: 60, data}] : [],
    });
  };
  network.listen('10.0.0.2', 53, known({'example.org': '192.0.2.80'}));
  network.listen('10.0.0.3', 53, known({'crane.harbour.lan': '192.0.2.81'}));
  if (apiIsUp) {
    network.listen('10.96.0.1', 443, call => {
      const {path, query} = call.request as Request;
      if (query?.['watch']) call.open({status: 200});
      else
        call.answer({status: 200, body: {metadata: {resourceVersion: '1'}, items: OBJECTS[path.split('/').at(-1) ?? ''] ?? []}});
    });
  }
  const daemon = new Daemon('coredns', 1, {
    clock,
    trace: new Trace(clock),
    dice: new Dice(1),
    host: 'coredns-1',
    wall: () => clock.now,
    dial: (host, port, request, receiver) => network.call('10.244.1.2', host, port, request, receiver),
    listen: (port, listener) => network.listen('10.244.1.2', port, listener),
  });
  let now = corefile ?? undefined;
  const client = new Client({daemon, host: '10.96.0.1', port: 443, credentials: {}, userAgent: 'coredns'});
  startDns({daemon, client, path: '/etc/coredns/Corefile', corefile: () => now, resolvConf});
  const pass = (ms: number) => {
    const until = clock.now + ms;
    while (clock.next <= until) clock.step();
    clock.settle(until);
  };
  const exchange = (port: number, request: unknown, read: (answer: unknown) => string): string => {
    let outcome = 'silence';
    network.call('10.244.1.9', '10.244.1.2', port, request, {
      answer: answer => (outcome = read(answer)),
      end: failure => (outcome = String(failure)),
    });
    pass(5000);
    return outcome;
  };
  pass(100);
  return {
    daemon,
    edit: text => {
      now = text;
      pass(60_000);
    },
    ask: name =>
      exchange(53, {kind: 'dns', name, type: 'A'}, answer =>
        [(answer as DnsAnswer).code, ...(answer as DnsAnswer).records.map(record => record.data)].join(' '),
      ),
    get: (port, path) =>
      exchange(
        port,
        {method: 'GET', path},
        answer => `${(answer as {status: number}).status} ${(answer as {body: string}).body}`,
      ),
  };
}

test.each([
  ['a Service', 'web.shop.svc.cluster.local', 'NOERROR 10.96.0.80'],
  ['a name that is not there', 'nothing.shop.svc.cluster.local', 'NXDOMAIN'],
  ['an external name, with the address of the other name', 'partner.shop.svc.cluster.local', 'NOERROR example.org 192.0.2.80'],
  ['a name further up', 'example.org', 'NOERROR 192.0.2.80'],
  ['a name that nobody has', 'example.com', 'NXDOMAIN'],
  ['a stub domain', 'crane.harbour.lan', 'NOERROR 192.0.2.81'],
])('%s', (_what, name, answer) => {
  expect(aLab().ask(name)).toBe(answer);
});

test('it is ready once it has seen the cluster', () => {
  expect(aLab().get(8181, '/ready')).toBe('200 OK');
  expect(aLab().get(8080, '/health')).toBe('200 OK');
});

test('before it has seen the cluster it cannot tell what is there', () => {
  const lab = aLab({apiIsUp: false});
  expect(lab.ask('web.shop.svc.cluster.local')).toBe('SERVFAIL');
  expect(lab.ask('example.org')).toBe('NOERROR 192.0.2.80');
  expect(lab.get(8181, '/ready')).toBe('503 kubernetes');
});

test('a server further up that is silent is tried twice, then the question fails, and a line says why', () => {
  const lab = aLab({resolvConf: 'nameserver 10.0.0.99\n'});
  expect(lab.ask('example.org')).toBe('SERVFAIL');
  expect(lab.daemon.log.at(-1)).toContain('[ERROR] plugin/errors: 2 example.org. A: read udp');
});

test.each([
  [
    'a broken Corefile',
    {corefile: COREFILE.replace('forward', 'forwrad')},
    "/etc/coredns/Corefile:9 - Error during parsing: Unknown directive 'forwrad'",
  ],
  ['no Corefile', {corefile: null}, 'plugin/loading Caddyfile via flag: open /etc/coredns/Corefile: no such file or directory'],
  ['a loop', {resolvConf: 'nameserver 127.0.0.53\n'}, 'detected for zone "."'],
])('%s ends it', (_what, options, words) => {
  const {daemon} = aLab(options);
  expect(daemon.exitCode).toBe(1);
  expect(daemon.log.at(-1)).toContain(words);
});

test('a changed Corefile counts half a minute later, and a broken one changes nothing', () => {
  const reloading = COREFILE.replace('    loop\n', '    loop\n    reload\n');
  const lab = aLab({corefile: reloading});
  lab.edit(reloading.replace('cluster.local', 'port.example'));
  expect(lab.ask('web.shop.svc.port.example')).toBe('NOERROR 10.96.0.80');
  expect(lab.daemon.log.at(-1)).toContain('[INFO] Reloading complete');
  lab.edit(reloading.replace('forward', 'forwrad'));
  expect(lab.daemon.log.at(-1)).toContain('plugin/reload: Corefile changed but reload failed: /etc/coredns/Corefile:9 - Error');
  expect(lab.ask('web.shop.svc.port.example')).toBe('NOERROR 10.96.0.80');
  const still = aLab();
  still.edit(COREFILE.replace('cluster.local', 'port.example'));
  expect(still.ask('web.shop.svc.cluster.local')).toBe('NOERROR 10.96.0.80');
});
