import {expect, test} from 'vitest';
import type {PodStatus} from '../../../api/kinds/core-v1.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import {applyStrategicPatch, type JsonObject} from '../../../api/schema/merge/index.ts';
import {schemaOf} from '../../../api/schema/types.ts';
import {statusPatch} from './change.ts';

const ready = (status: 'True' | 'False', more: object = {}) => ({type: 'Ready', status, ...more});
const scheduled = {type: 'PodScheduled', status: 'True'};
const gate = {type: 'example.com/gate', status: 'True'};

const changes: readonly (readonly [string, object, object, object])[] = [
  [
    'another address, as after a new sandbox',
    {podIP: '10.0.0.2', podIPs: [{ip: '10.0.0.2'}]},
    {podIP: '10.0.0.3', podIPs: [{ip: '10.0.0.3'}]},
    {podIP: '10.0.0.3', podIPs: [{ip: '10.0.0.3'}]},
  ],
  ['no address any more', {podIP: '10.0.0.2', podIPs: [{ip: '10.0.0.2'}]}, {phase: 'Failed'}, {phase: 'Failed'}],
  [
    'a reason that is over',
    {reason: 'Evicted', conditions: [ready('False', {reason: 'ContainersNotReady', message: 'm'})]},
    {conditions: [ready('True')]},
    {conditions: [ready('True')]},
  ],
  [
    'conditions of others stay',
    {conditions: [scheduled, gate]},
    {conditions: [ready('True'), scheduled]},
    {conditions: [ready('True'), scheduled, gate]},
  ],
  [
    'a resize that is over goes',
    {conditions: [{type: 'PodResizeInProgress', status: 'True'}, scheduled]},
    {conditions: [scheduled]},
    {conditions: [scheduled]},
  ],
  [
    'claims are written by their controller',
    {resourceClaimStatuses: [{name: 'a'}]},
    {phase: 'Running'},
    {phase: 'Running', resourceClaimStatuses: [{name: 'a'}]},
  ],
  [
    'containers as a whole',
    {
      containerStatuses: [
        {name: 'a', ready: false},
        {name: 'b', ready: true},
      ],
    },
    {containerStatuses: [{name: 'a', ready: true}]},
    {containerStatuses: [{name: 'a', ready: true}]},
  ],
];

test.each(changes)('%s', (_, before, status, after) => {
  const patch = statusPatch(deepFreeze(status) as PodStatus, deepFreeze(before) as PodStatus);
  const patched = applyStrategicPatch(before as JsonObject, patch, schemaOf('io.k8s.api.core.v1.PodStatus'));
  expect(patched).toEqual({value: after});
  expect(statusPatch(status as PodStatus, after as PodStatus)).toEqual({});
});
