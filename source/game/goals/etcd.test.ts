import {parseDocument, type Node} from 'yaml';
import {expect, test} from 'vitest';
import type {MemberView} from '../../world/machines.ts';
import {Place} from '../level/reader.ts';
import type {Referee} from './check.ts';
import {etcd} from './etcd.ts';

function member(node: string, change: Partial<MemberView> = {}): MemberView {
  const members = ['cp-1', 'cp-2', 'cp-3'].map(name => ({id: `${name}-id`, name, peerUrls: [], clientUrls: [], learner: false}));
  return {node, alive: true, healthy: true, id: `${node}-id`, clusterId: 'c', leads: node === 'cp-3', members, ...change};
}

const whole = [member('cp-1'), member('cp-2'), member('cp-3')];
const down = {alive: false, healthy: false, id: '', clusterId: '', leads: false, members: []};

test.for<[string, string, readonly MemberView[], boolean, string]>([
  ['all is well', '{leader: true, members: 3, healthy: 3, clusterID: same}', whole, true, '3 of 3 healthy'],
  ['one is down', '{healthy: 3}', [member('cp-1'), member('cp-2', down), member('cp-3')], false, '2 of 3 healthy'],
  [
    'one is down, two will do',
    '{healthy: ">=2"}',
    [member('cp-1'), member('cp-2', down), member('cp-3')],
    true,
    '2 of 3 healthy',
  ],
  ['nobody leads', '{leader: true}', [member('cp-1', {healthy: false})], false, 'no leader'],
  ['another one leads', '{leader: cp-1}', whole, false, 'cp-3 leads'],
  ['a leader among others', '{leader: true, among: [cp-1, cp-2]}', whole, false, 'no leader'],
  ['the old member', '{newID: [cp-2]}', whole, false, 'cp-2 is the old member'],
  [
    'a new member',
    '{newID: [cp-2]}',
    [whole[0] as MemberView, member('cp-2', {id: 'new'}), member('cp-3')],
    true,
    '3 of 3 healthy',
  ],
  ['another cluster', '{clusterID: same}', [member('cp-1', {clusterId: 'd'})], false, 'cp-1 is of another cluster'],
])('%s', ([, words, members, met, note]) => {
  const document = parseDocument(words);
  const place = new Place(document);
  const args = etcd.arguments(document.contents as Node, place);
  expect(place.faults).toEqual([]);
  const referee = {members: () => members, originalMember: (node: string) => ({id: `${node}-id`, clusterId: 'c'})};
  expect(etcd.judge(args as never, referee as Partial<Referee> as Referee)).toEqual({met, note});
});
