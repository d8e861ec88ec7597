import {expect, test} from 'vitest';
import {roomOf, withRoom} from './kubelet-room.ts';

const node = {capacity: {cpu: '4', memory: '8Gi', pods: '110'}, allocatable: {cpu: '4', memory: '8Gi', pods: '110'}};

test.each([
  ['nothing is said', {}, {...node.allocatable}],
  ['fewer pods', {maxPods: 5}, {cpu: '4', memory: '8Gi', pods: '5'}],
  [
    'something is kept, and the last of the memory',
    {kubeReserved: {cpu: '500m'}},
    {cpu: '3500m', memory: '8286208Ki', pods: '110'},
  ],
  [
    'both keep something',
    {kubeReserved: {cpu: '500m', memory: '1Gi'}, systemReserved: {cpu: '500m'}, evictionHard: {'memory.available': '1Gi'}},
    {cpu: '3', memory: '6291456Ki', pods: '110'},
  ],
  [
    'more is kept than there is',
    {systemReserved: {cpu: '8'}, evictionHard: {'memory.available': '5%'}},
    {cpu: '0', memory: '8Gi', pods: '110'},
  ],
])('room on a node: %s', (_, fields, allocatable) => {
  expect(withRoom(node, roomOf(fields)).allocatable).toEqual(allocatable);
});
