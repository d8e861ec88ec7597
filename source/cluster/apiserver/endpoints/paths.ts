// Paths that are no resources: discovery, health, version.
import type {Answer} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import {NOT_FOUND_PAGE} from '../http/reply.ts';
import type {Refused} from '../http/refused.ts';
import type {Asked} from './asked.ts';

/** Answers a path. */
export function* answerPath(_asked: Asked): Task<Answer | Refused | undefined> {
  return NOT_FOUND_PAGE;
}
