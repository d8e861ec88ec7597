import {expect, test} from 'vitest';
import {wellKnown} from './index.ts';

test.each([
  [
    'nginx',
    [
      '1.7.9',
      '1.14.2',
      '1.15',
      '1.17',
      '1.18',
      '1.22',
      '1.27-alpine',
      '1.27.0',
      '1',
      'latest',
      'alpine',
      'stable-alpine',
      '1.25.3-alpine-slim',
    ],
  ],
  ['redis', ['5', '5.0.4', '6.2-alpine', '7-alpine3.20', 'latest']],
  ['busybox', ['1.28', '1.28.0', '1.31', '1.36.1-glibc', 'musl']],
  ['alpine', ['3.15', '3.19.1', '3', 'edge']],
  ['httpd', ['2.4.39-alpine', '2.4', 'alpine']],
  ['mysql', ['5.6', '5.7', '8.0.36', 'lts']],
  ['php', ['8.2-apache', 'apache', '7.2-apache']],
  ['centos', ['7', '8']],
  ['debian', ['bookworm-slim', '12', '12-slim']],
  ['registry.k8s.io/nginx-slim', ['0.8', '0.21', '0.24']],
  ['registry.k8s.io/e2e-test-images/agnhost', ['2.39', '2.47', '2.53']],
  ['registry.k8s.io/kube-proxy', ['v1.35.0', 'v1.34.1']],
  ['registry.k8s.io/pause', ['3.9', '3.10', '3.10.1']],
  ['gcr.io/google-samples/hello-app', ['1.0', '2.0']],
  ['gcr.io/kuar-demo/kuard-amd64', ['blue', 'green']],
  ['rancher/kubectl', ['v1.35.0']],
])('%s has the tags that tutorials write', (name, tags) => {
  expect(tags.filter(tag => wellKnown(`${name}:${tag}`) === undefined)).toEqual([]);
});

test.each([
  ['nginx', ['1.99', 'latestt', '1.27.6', '1.27-alpin', '1.27.', '2', 'v1.27', '-alpine', '1.27--alpine', 'alpine-1.27']],
  ['redis', ['5.9', 'slimm', '123']],
  ['busybox', ['1.99', '1.28-alpine']],
  ['registry.k8s.io/kube-proxy', ['1.35.0', 'v1.35', 'v1.35.99', 'v1.36.0', 'latest']],
  ['registry.k8s.io/pause', ['3.10.2', '3.11']],
  ['gcr.io/google-samples/hello-app', ['3.0', '1']],
  ['nginxx', ['latest']],
])('%s has no tag that somebody made up', (name, tags) => {
  expect(tags.filter(tag => wellKnown(`${name}:${tag}`) !== undefined)).toEqual([]);
});

test('a series is its newest patch, and latest the newest of all', () => {
  const version = (image: string) => wellKnown(image)?.env?.['NGINX_VERSION'];
  expect(version('nginx:1.25')).toBe('1.25.5');
  expect(version('nginx:1.25-alpine')).toBe('1.25.5');
  expect(version('nginx:1.25.1')).toBe('1.25.1');
  expect(version('nginx:1')).toBe(version('nginx:latest'));
});
