// What a kind's line in the list of kinds is made of. The helpers below keep their types while the list forgets them: a rule for new
// objects can never stand where one for changes is meant, which would take the old object for the list of errors.
import type {NameRule} from './metadata.ts';
import type {Errors} from './rules.ts';

/** What a new object must fulfil. */
export type CreateRule<T> = (object: T, errors: Errors) => void;

/** What a changed object must fulfil, beside the one that it replaces. */
export type UpdateRule<T> = (object: T, before: T, errors: Errors) => void;

/** The rules of a kind. `update` is all that a changed object must fulfil; without it a new one's rules hold again. */
export interface KindRules {
  readonly name?: NameRule;
  readonly create: CreateRule<never>;
  readonly update?: UpdateRule<never>;
}

/** The rules of the kind T, which is the one that `create` takes. */
export function kind<T>(rules: {
  readonly name?: NameRule;
  readonly create: CreateRule<T>;
  readonly update?: UpdateRule<NoInfer<T>>;
}): KindRules {
  return rules;
}

/** A rule for changes of the kind T, which is the one that it takes first. */
export function change<T>(rule: (object: T, before: NoInfer<T>, errors: Errors) => void): UpdateRule<never> {
  return rule;
}

/** Compares with what was, then asks what a new one must fulfil. */
export function bothOf<T>(update: UpdateRule<T>, create: CreateRule<T>): UpdateRule<T> {
  return (object, before, errors) => {
    create(object, errors);
    update(object, before, errors);
  };
}
