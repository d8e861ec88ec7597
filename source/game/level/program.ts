// The model of a program behind an image, as a level file describes it.
import {checked, list, mapOf, number, optional, record, text, word} from './reader.ts';
import {parseQuantity} from '../../api/meta/quantity.ts';

const quantity = checked(word(), words =>
  'error' in parseQuantity(words) ? 'a quantity such as 80m or 380Mi is wanted here' : undefined,
);

const answer = checked(word(), words =>
  /^[1-5]\d\d( .*)?$/s.test(words) ? undefined : 'a status, or a status and a body, is wanted here: 200, or "200 hello"',
);

/** `http`: what a path answers, as a status, or a status and a body with a blank between. */
export const program = record({
  startSeconds: optional(number()),
  listen: optional(list(number())),
  http: optional(mapOf(answer)),
  cpu: optional(quantity),
  memory: optional(quantity),
  log: optional(list(text())),
  exitCode: optional(number()),
  exitAfterSeconds: optional(number()),
  user: optional(number()),
});

export type ProgramDescription = NonNullable<ReturnType<typeof program>>;
