// What a client is told when etcd does not answer.
import {plainError, timeout} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import type {EtcdFailure} from './connection.ts';

/** A write that etcd did not take. */
export function writeRefused(failed: EtcdFailure): Refused {
  if (failed.kind === 'timeout') return refuse(timeout(`request did not complete within requested timeout - ${failed.message}`));
  return refuse(plainError(failed.message));
}

/** A read that etcd did not answer. What the server then sends says not what it is, so that clients put it in words of their own. */
export function readRefused(failed: EtcdFailure): Refused {
  if (failed.kind !== 'timeout') return refuse(plainError(failed.message));
  const {kind: _kind, apiVersion: _version, ...bare} = timeout('request did not complete within the allotted timeout');
  return refuse(Object.freeze(bare));
}
