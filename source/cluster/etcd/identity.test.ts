import {expect, test} from 'vitest';
import {clusterId, DEFAULT_TOKEN, hostAndPort, memberId, parseInitialCluster} from './identity.ts';
import {sha1} from './sha1.ts';

test('sha1 gives the published digests', () => {
  const digest = (text: string) => sha1(new TextEncoder().encode(text));
  expect(digest('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  expect(digest('')).toBe('da39a3ee5e6b4b0d3255bfef95601890afd80709');
  expect(digest('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe('84983e441c3bd26ebaae4aa1f95129e5e54670f1');
});

test.each([
  ['https://10.0.0.10:2380', '3b17aaa147134dd'],
  ['https://10.0.0.11:2380', 'cebdf10928a06f3c'],
  ['https://10.0.0.12:2380', 'f7a9c20602b8532e'],
  ['https://10.0.0.13:2380', '55fcbe0adaa45350'],
  ['http://localhost:2380', '8e9e05c52164694d'],
])('a first member at %s has the id that a real etcd gave it', (url, id) => {
  expect(memberId([url], DEFAULT_TOKEN)).toBe(id);
});

test('a cluster has the id that a real etcd gave it', () => {
  expect(clusterId(['55fcbe0adaa45350', 'cebdf10928a06f3c', 'f7a9c20602b8532e'])).toBe('1889f2eebf07c41a');
  expect(clusterId(['3b17aaa147134dd'])).toBe('9da3c63e60d1f67f');
  expect(clusterId(['8e9e05c52164694d'])).toBe('cdf818194e3a8c32');
});

test('an initial cluster is names and URLs', () => {
  expect(parseInitialCluster('a=https://10.0.0.1:2380,b=https://10.0.0.2:2380,a=https://10.1.0.1:2380')).toEqual([
    {name: 'a', peerUrls: ['https://10.0.0.1:2380', 'https://10.1.0.1:2380']},
    {name: 'b', peerUrls: ['https://10.0.0.2:2380']},
  ]);
  expect(hostAndPort('https://10.0.0.1:2380')).toEqual({host: '10.0.0.1', port: 2380});
  expect(hostAndPort('10.0.0.1:2380')).toBeUndefined();
});
