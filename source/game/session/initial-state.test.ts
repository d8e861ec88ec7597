import {expect, test} from 'vitest';
import {NO_PROGRESS, type Progress} from '../progress.ts';
import type {Entry} from '../course.ts';
import type {World} from '../../world/world.ts';
import {initialState, type Beginning} from './initial-state.ts';

const level = {
  id: 'one',
  story: '',
  symptom: [],
  objectives: [],
  player: {user: 'nina', kubeconfig: {}},
  hints: [{stars: 0.5}, {stars: 0.5}, {stars: 1}],
};

test.each([
  [0, [0, 0.5, 1]],
  [1, [0, 0.5, 1]],
  [2, [0.5, 0.5, 1]],
])('after %i tries the hints cost %j', (tries, prices) => {
  const progress: Progress = {...NO_PROGRESS, levels: tries === 0 ? {} : {one: {solved: false, stars: 0, tries}}} as Progress;
  const entry = {level, number: '1.1'} as unknown as Entry;
  const state = initialState({entry, progress} satisfies Beginning, {wall: 0} as World);
  expect(state.hints.map(({stars}) => stars)).toEqual(prices);
});
