// What a client is told when etcd does not answer.
import {failure, plainError, timeout} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import type {EtcdFailure} from './connection.ts';

/** A write that etcd did not take. */
export function writeRefused(failed: EtcdFailure): Refused {
  if (failed.kind === 'timeout') return refuse(timeout(`request did not complete within requested timeout - ${failed.message}`));
  return refuse(plainError(failed.message));
}

/** A read that etcd did not answer. */
export function readRefused(failed: EtcdFailure): Refused {
  if (failed.kind !== 'timeout') return refuse(plainError(failed.message));
  return refuse(
    failure(504, 'Timeout', {
      message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
      details: {},
    }),
  );
}
