// Texts of requests. Large ones are read in pieces before they are needed, and whoever needs them finds them read.
import type {Request} from '../../../api/wire/http.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import type {Task} from '../../../sim/task.ts';
import {endPiece, isLarge} from '../http/large.ts';
import {readText, textSteps, type TextRead} from './schema.ts';

const ahead = new WeakMap<Request, TextRead>();

/** Reads the body of a request, where it is a large text, and lets others pass between its pieces. */
export function* readAhead(daemon: Daemon, request: Request): Task {
  if (typeof request.body !== 'string' || !isLarge(request)) return;
  const steps = textSteps(request.body, isYaml(request) ? 'application/yaml' : 'application/json');
  for (;;) {
    const {done, value} = steps.next();
    yield* endPiece(daemon);
    if (!done) continue;
    ahead.set(request, value);
    return;
  }
}

function isYaml({headers}: Request): boolean {
  return headers?.['content-type']?.includes('yaml') === true;
}

/** The body of a request as a value: what was no text stays as it is. */
export function readRequest(request: Request, type: string): TextRead {
  const known = ahead.get(request);
  if (known) return known;
  const {body} = request;
  return typeof body === 'string' || body === undefined ? readText(body ?? '', type) : {value: body};
}
