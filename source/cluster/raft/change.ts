// One step of a membership change. Single steps are safe without joint majorities, because any majority before and any
// majority after share a member; so a leader lets only one change be under way.
import {unreachable} from '../../sim/assert.ts';
import type {Change, Configuration, Id} from './entry.ts';

/** The configuration after a change. A change that changes nothing gives the same object. */
export function changed(configuration: Configuration, change: Change): Configuration {
  const {voters, learners} = configuration;
  const {id} = change;
  switch (change.type) {
    case 'add-voter':
      return voters.includes(id) ? configuration : {voters: sorted([...voters, id]), learners: without(learners, id)};
    case 'add-learner':
      return learners.includes(id) || voters.includes(id) ? configuration : {voters, learners: sorted([...learners, id])};
    case 'remove':
      return isMember(configuration, id) ? {voters: without(voters, id), learners: without(learners, id)} : configuration;
    case 'update':
      return configuration;
    default:
      return unreachable(change.type);
  }
}

/** Voters and learners. */
export function members(configuration: Configuration): readonly Id[] {
  return configuration.learners.length === 0 ? configuration.voters : [...configuration.voters, ...configuration.learners];
}

/** Is it a voter or a learner? */
export function isMember(configuration: Configuration, id: Id): boolean {
  return configuration.voters.includes(id) || configuration.learners.includes(id);
}

function without(ids: readonly Id[], id: Id): readonly Id[] {
  return ids.filter(each => each !== id);
}

function sorted(ids: readonly Id[]): readonly Id[] {
  return [...ids].sort();
}
