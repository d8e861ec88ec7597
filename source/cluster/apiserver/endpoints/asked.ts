// What a handler is given, and what it gives back.
import type {Answer, Request} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import type {User} from '../auth/user.ts';
import type {Core} from '../core.ts';
import type {RequestInfo} from '../http/info.ts';
import {isLarge} from '../http/large.ts';
import type {Refused} from '../http/refused.ts';
import type {Stream} from '../http/stream.ts';
import type {Served} from '../registry/served.ts';
import type {Write} from '../registry/write.ts';

/** A request that may go on. */
export interface Asked {
  readonly core: Core;
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: User;
  /** Where frames can go; undefined when the caller takes a plain answer only. */
  readonly stream: Stream | undefined;
  readonly warnings: string[];
  /** Writes the trace's entry for a write, once. */
  readonly note: (name: string) => void;
}

/** One that names a resource. */
export interface AskedResource extends Asked {
  readonly served: Served;
}

/** Answers; undefined when the stream was opened. */
export type Handler<A extends Asked = AskedResource> = (asked: A) => Task<Answer | Refused | undefined>;

/** The write that a request asks for. */
export function writeOf(asked: AskedResource, subresource = asked.info.subresource): Write {
  const {core, user, info, served, warnings, note, request} = asked;
  const {query} = info;
  return {
    core,
    user,
    info,
    served,
    subresource,
    warnings,
    note,
    dryRun: query['dryRun'] === 'All',
    isLarge: isLarge(request),
    begunAt: core.daemon.clock.now,
    fieldValidation: query['fieldValidation'] || 'Warn',
    manager: query['fieldManager'] || managerOf(request.headers?.['user-agent']),
  };
}

const MOST_NAME = 128;

function managerOf(agent: string | undefined): string {
  return agent?.split('/')[0]?.slice(0, MOST_NAME) || 'unknown';
}
