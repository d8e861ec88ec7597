import {expect, test} from 'vitest';
import {parseImage} from './image-reference.ts';

const digest = `sha256:${'0'.repeat(64)}`;

test.for([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['bitnami/redis:7', 'docker.io/bitnami/redis:7'],
  ['registry.local/web:1.4', 'registry.local/web:1.4'],
  ['localhost/web', 'localhost/web:latest'],
  ['localhost:5000/team/web:1', 'localhost:5000/team/web:1'],
  ['registry.k8s.io/coredns/coredns:v1.13.1', 'registry.k8s.io/coredns/coredns:v1.13.1'],
  [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
])('%s is %s', ([text, expected]) => {
  const parsed = parseImage(text ?? '');
  expect('error' in parsed ? parsed.error : parsed.name).toBe(expected);
});

test.for([
  ['nginx:1.27:1', 'invalid reference format'],
  ['Nginx:1.27', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
  ['', 'invalid reference format'],
  ['nginx:', 'invalid reference format'],
  ['a//b', 'invalid reference format'],
  ['nginx@sha256:12', 'invalid reference format'],
])('%j is none', ([text, expected]) => {
  expect(parseImage(text ?? '')).toEqual({error: expected});
});
