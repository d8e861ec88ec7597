// The type refuses what once ended the server: a rule for new objects in the place of one for changes.
import {expect, test} from 'vitest';
import {invalid, root} from '../meta/field-error.ts';
import {bothOf, change, kind} from './kind-rules.ts';
import type {Errors} from './rules.ts';

interface Thing {
  readonly size: number;
}

const create = ({size}: Thing, errors: Errors): void => void errors.push(invalid(root('size'), size, 'new'));
const update = (thing: Thing, {size}: Thing, errors: Errors): void =>
  void errors.push(invalid(root('size'), thing.size, `was ${size}`));

test('rules of each sort are taken in their own place alone', () => {
  kind({create, update});
  kind({create, update: (thing: Thing) => void thing});
  change(update);
  // @ts-expect-error A rule for new objects is none for changes.
  kind({create, update: create});
  // @ts-expect-error Nor is it one of a subresource.
  change(create);
  // @ts-expect-error And a rule for changes is none for new objects.
  kind({create: update});
});

test('both of them speak, what a new object must be first', () => {
  const errors: Errors = [];
  bothOf(update, create)({size: 2}, {size: 1}, errors);
  expect(errors.map(({detail}) => detail)).toEqual(['new', 'was 1']);
});
