// The model of a program behind an image, as a level file describes it.
import {checked, list, mapOf, needed, number, oneOf, optional, record, text, word, yesNo} from './reader.ts';
import {parseQuantity} from '../../api/meta/quantity.ts';

const quantity = checked(word(), words =>
  'error' in parseQuantity(words) ? 'a quantity such as 80m or 380Mi is wanted here' : undefined,
);

const answer = checked(word(), words =>
  /^[1-5]\d\d( .*)?$/s.test(words) ? undefined : 'a status, or a status and a body, is wanted here: 200, or "200 hello"',
);

const match = {
  resources: optional(list(text())),
  operations: optional(list(oneOf('CREATE', 'UPDATE', 'DELETE', 'CONNECT'))),
  namespaces: optional(list(text())),
  withoutLabel: optional(text()),
};

/** How a webhook's backend answers: it allows, but for these rules. */
const admission = record({
  deny: optional(list(record({...match, message: optional(text()), code: optional(number())}))),
  patch: optional(list(record({...match, labels: optional(mapOf(text())), annotations: optional(mapOf(text()))}))),
  warnings: optional(list(text())),
  log: optional(yesNo()),
});

/** What each request costs; from this and the container's CPU limit its latency grows. */
const work = record({concurrency: optional(number()), cpuSeconds: optional(number()), waitSeconds: optional(number())});

/** `http`: what a path answers, as a status, or a status and a body with a blank between. */
export const program = record({
  startSeconds: optional(number()),
  listen: optional(list(number())),
  http: optional(mapOf(answer)),
  work: optional(work),
  admission: optional(admission),
  tls: optional(record({certificate: needed(text()), key: needed(text())})),
  cpu: optional(quantity),
  memory: optional(quantity),
  log: optional(list(text())),
  exitCode: optional(number()),
  exitAfterSeconds: optional(number()),
  user: optional(number()),
});

export type ProgramDescription = NonNullable<ReturnType<typeof program>>;
