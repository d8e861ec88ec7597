import {expect, test} from 'vitest';
import type {EphemeralContainer, Pod} from '../kinds/core-v1.ts';
import {fieldErrorText, type FieldError} from '../meta/field-error.ts';
import {validateEphemeralContainers} from './pod-ephemeral-containers.ts';

const BASE = {image: 'busybox:1.36', terminationMessagePolicy: 'File', imagePullPolicy: 'IfNotPresent'} as const;
const POLICIES = {restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', serviceAccountName: 'default'};

function pod(...ephemeralContainers: readonly EphemeralContainer[]): Pod {
  const spec = {
    ...POLICIES,
    containers: [{...BASE, name: 'app'}],
    initContainers: [{...BASE, name: 'init'}],
    ephemeralContainers,
  };
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web'}, spec} as unknown as Pod;
}

function problems(now: readonly EphemeralContainer[], before: readonly EphemeralContainer[] = []): readonly string[] {
  const errors: FieldError[] = [];
  validateEphemeralContainers(pod(...now), pod(...before), errors);
  return errors.map(fieldErrorText);
}

const debug = {...BASE, name: 'debug'};

test('one that looks at another container is fine', () => {
  expect(problems([{...debug, targetContainerName: 'app'}])).toEqual([]);
  expect(problems([debug, {...debug, name: 'more'}], [debug])).toEqual([]);
});

test.each<[readonly EphemeralContainer[], readonly EphemeralContainer[], string]>([
  [[{...debug, targetContainerName: 'nope'}], [], 'spec.ephemeralContainers[0].targetContainerName: Not found: "nope"'],
  [[{...debug, name: 'app'}], [], 'spec.ephemeralContainers[0].name: Duplicate value: "app"'],
  [[{...debug, name: 'init'}], [], 'spec.ephemeralContainers[0].name: Duplicate value: "init"'],
  [[{...debug, image: ''}], [], 'spec.ephemeralContainers[0].image: Required value'],
  [
    [{...debug, lifecycle: {preStop: {exec: {command: ['true']}}}}],
    [],
    'spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    [{...debug, resources: {limits: {cpu: '1'}}}],
    [],
    'spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [[], [debug], 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n'],
  [
    [{...debug, image: 'other'}],
    [debug],
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n',
  ],
])('%j after %j', (now, before, problem) => {
  // The picture of a difference is not part of the comparison.
  expect(problems(now, before).map(text => text.replace(/@@[^]*/, ''))).toEqual([problem]);
});
