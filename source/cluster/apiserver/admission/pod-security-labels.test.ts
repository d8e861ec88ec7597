import {expect, test} from 'vitest';
import {ServerRoom} from '../testing/server-room.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const label = (name: string): string => `pod-security.kubernetes.io/${name}`;

function room(): ServerRoom {
  const made = new ServerRoom();
  made.post(`${NAMESPACE}/serviceaccounts`, {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'default'}});
  return made;
}

function setLabels(at: ServerRoom, labels: Readonly<Record<string, string>>): {said: string[]; message: string | undefined} {
  const answer = at.patch(NAMESPACE, 'application/merge-patch+json', {metadata: {labels}});
  const header = answer.headers?.['warning'] ?? '';
  const said = [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll(String.raw`\"`, '"'));
  return {said, message: (answer.body as {message?: string}).message};
}

const pod = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name},
  spec: {containers: [{name: 'c', image: 'nginx'}], ...spec},
});

test('labels name a level and a version', () => {
  expect(setLabels(room(), {[label('enforce')]: 'strict', [label('warn-version')]: '1.30'}).message).toBe(
    'Namespace "default" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"]',
  );
});

test('who asks for more is told of the pods that are there', () => {
  const at = room();
  at.post(`${NAMESPACE}/pods`, pod('a', {}));
  at.post(`${NAMESPACE}/pods`, pod('b', {}));
  at.post(`${NAMESPACE}/pods`, pod('host', {hostNetwork: true}));
  expect(setLabels(at, {[label('enforce')]: 'restricted'}).said).toEqual([
    'existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
    'a (and 1 other pod): allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    'host: host namespaces, allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
  ]);
  expect(setLabels(at, {[label('enforce')]: 'baseline'}).said).toEqual([]);
  expect(setLabels(at, {[label('enforce-version')]: 'v1.30'}).said).toEqual([
    'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:v1.30"',
    'host: host namespaces',
  ]);
  const answer = at.post(`${NAMESPACE}/pods`, pod('late', {hostPID: true}));
  expect((answer.body as {message?: string}).message).toBe(
    'pods "late" is forbidden: violates PodSecurity "baseline:v1.30": host namespaces (hostPID=true)',
  );
});
