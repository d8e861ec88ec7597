// What all stages of a write share.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {User} from '../auth/user.ts';
import type {Core} from '../core.ts';
import type {RequestInfo} from '../http/info.ts';
import {MOST_WARNED} from '../http/reply.ts';
import type {Served} from './served.ts';

/** A write under way. */
export interface Write {
  readonly core: Core;
  readonly user: User;
  readonly info: RequestInfo;
  readonly served: Served;
  readonly subresource: string;
  readonly dryRun: boolean;
  /** What is written is large: its stages are pieces of work by themselves. */
  readonly isLarge?: boolean;
  /** When the request came, on the server's clock; a write of the server's own has no such time. */
  readonly begunAt?: number;
  /** The webhooks were asked already, about what the client sent. */
  readonly withoutWebhooks?: boolean;
  /** `Strict`, `Warn` or `Ignore`, for fields that no schema knows. */
  readonly fieldValidation: string;
  /** As in `User-Agent`, or as the client named it: the manager of the fields that are written. */
  readonly manager: string;
  /** It is a server-side apply. */
  readonly applies?: boolean;
  /** The subresource that owners are known by, where it is another one. */
  readonly trackedAs?: string;
  readonly warnings: string[];
  /** Writes the trace's entry, once, when the object's name is known. */
  readonly note: (name: string) => void;
}

/** Adds to what the client is told; of more than an answer has room for nothing is kept. */
export function warn({warnings}: Pick<Write, 'warnings'>, more: readonly string[]): void {
  for (const warning of more) {
    if (warnings.length > MOST_WARNED) return;
    warnings.push(warning);
  }
}

/** What admission sees. */
export interface Attributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly write: Write;
  readonly object: AnyObject | undefined;
  readonly old: AnyObject | undefined;
}
