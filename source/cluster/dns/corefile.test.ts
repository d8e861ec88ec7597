import {expect, test} from 'vitest';
import {parseCorefile} from './corefile.ts';

const KUBEADM = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

test('the file of kubeadm', () => {
  const parsed = parseCorefile(KUBEADM, '/etc/coredns/Corefile');
  if ('error' in parsed) throw new Error(parsed.error);
  expect(parsed).toHaveLength(1);
  expect(parsed[0]).toMatchObject({zones: ['.'], port: 53});
  expect(parsed[0]?.directives.map(each => each.name)).toEqual([
    'errors',
    'health',
    'ready',
    'kubernetes',
    'prometheus',
    'forward',
    'cache',
    'loop',
    'reload',
    'loadbalance',
  ]);
  expect(parsed[0]?.directives[3]).toMatchObject({
    words: ['cluster.local', 'in-addr.arpa', 'ip6.arpa'],
    block: [
      ['pods', 'insecure'],
      ['fallthrough', 'in-addr.arpa', 'ip6.arpa'],
      ['ttl', '30'],
    ],
  });
});

test('a stub domain is a server of its own', () => {
  const parsed = parseCorefile('harbour.lan:53 {\n  forward . 10.9.0.53\n}\n.:53 {\n  forward . 10.0.0.2\n}\n', 'Corefile');
  expect('error' in parsed ? parsed : parsed.map(block => block.zones)).toEqual([['harbour.lan'], ['.']]);
});

test.each([
  [
    'a word that is no directive',
    KUBEADM.replace('forward', 'forwrad'),
    "/etc/coredns/Corefile:13 - Error during parsing: Unknown directive 'forwrad'",
  ],
  [
    'a brace that is missing',
    '.:53 {\n  errors\n',
    "/etc/coredns/Corefile:2 - Error during parsing: Unexpected EOF, expecting '}'",
  ],
])('%s', (_name, text, error) => {
  expect(parseCorefile(text, '/etc/coredns/Corefile')).toEqual({error});
});
