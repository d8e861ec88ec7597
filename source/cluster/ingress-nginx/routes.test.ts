// Which Service a request comes to, by Ingress, host and path.
import {expect, test} from 'vitest';
import type {Ingress} from '../../api/kinds/networking-v1.ts';
import {review} from './webhook.ts';
import {findRoute, planServers, rewritten, serverFor} from './routes.ts';

type PathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** `host path type service`, a line each. */
function anIngress(
  name: string,
  rules: readonly string[],
  more: {annotations?: Record<string, string>; spec?: object} = {},
): Ingress {
  const annotations = Object.fromEntries(
    Object.entries(more.annotations ?? {}).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]),
  );
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {name, namespace: 'shop', annotations},
    spec: {
      ...more.spec,
      rules: rules.map(rule => {
        const [host = '', path = '', pathType = 'Prefix', service = ''] = rule.split(' ');
        const backend = {service: {name: service, port: {number: 80}}};
        return {...(host === '*' ? {} : {host}), http: {paths: [{path, pathType: pathType as PathType, backend}]}};
      }),
    },
  } as unknown as Ingress;
}

function serviceOf(ingresses: readonly Ingress[], host: string, path: string): string | undefined {
  const server = serverFor(planServers(ingresses), host);
  return server && findRoute(server, path)?.backend.service?.name;
}

const plain = [
  anIngress('a', [
    'x.example / Prefix root',
    'x.example /cart Prefix cart',
    'x.example /cart/pay Exact pay',
    'x.example /img ImplementationSpecific img',
  ]),
  anIngress('b', ['*.wild.example / Prefix wild', '* /any Prefix any', 'x.example /cart Prefix late']),
];

test.each([
  ['x.example', '/', 'root'],
  ['x.example', '/cart', 'cart'],
  ['x.example', '/cart/7', 'cart'],
  ['x.example', '/cartoon', 'root'],
  ['x.example', '/cart/pay', 'pay'],
  ['x.example', '/cart/pay/', 'cart'],
  ['x.example', '/imgs/1', 'img'],
  ['a.wild.example', '/q', 'wild'],
  ['a.b.wild.example', '/any', 'any'],
  ['wild.example', '/q', undefined],
  ['nobody.example', '/any/7', 'any'],
  ['nobody.example', '/', undefined],
])('%s%s comes to %s', (host, path, service) => expect(serviceOf(plain, host, path)).toBe(service));

test.each([
  ['/api/v1/items', '/v1/items'],
  ['/api', '/'],
  ['/API/x', '/x'],
  ['/other', undefined],
])('with rewrite-target %s becomes %s', (path, wanted) => {
  const ingress = anIngress('r', ['r.example /api(/|$)(.*) ImplementationSpecific api'], {
    annotations: {'rewrite-target': '/$2'},
  });
  const server = serverFor(planServers([ingress]), 'r.example');
  const route = server && findRoute(server, path);
  expect(route && rewritten(route, path)).toBe(wanted);
});

test('an Ingress with TLS wants it, unless it says no', () => {
  const tls = {spec: {tls: [{hosts: ['t.example'], secretName: 'pair'}]}};
  const wants = (annotations?: Record<string, string>) => {
    const server = serverFor(
      planServers([anIngress('t', ['t.example / Prefix web'], {...tls, ...(annotations ? {annotations} : {})})]),
      't.example',
    );
    return [server?.secret, server && findRoute(server, '/')?.wantsTls];
  };
  expect(wants()).toEqual(['shop/pair', true]);
  expect(wants({'ssl-redirect': 'false'})).toEqual(['shop/pair', false]);
});

test('the webhook refuses a host and a path that another has', () => {
  const others = [anIngress('one', ['x.example /a Prefix web'])];
  const ask = (object: Ingress, ours = true) =>
    (
      review({method: 'POST', path: '/', body: {kind: 'AdmissionReview', request: {uid: 'u', object}}}, others, () => ours)
        .body as {response: {allowed: boolean; status?: {message?: string}}}
    ).response;
  expect(ask(anIngress('two', ['x.example /a Prefix web'])).status?.message).toBe(
    'host "x.example" and path "/a" is already defined in ingress shop/one',
  );
  expect(ask(anIngress('two', ['x.example /b Prefix web'])).allowed).toBe(true);
  expect(ask(anIngress('one', ['x.example /a Prefix web'])).allowed).toBe(true);
  expect(ask(anIngress('two', ['x.example /a Prefix web']), false).allowed).toBe(true);
});
