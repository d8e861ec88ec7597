// Connections (exec, attach, port-forward, proxy) pass admission as operation CONNECT: there is no object, only what one connects with.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import {Refused} from '../http/refused.ts';
import {writeOf, type AskedResource} from './asked.ts';

const NO_METADATA = Object.freeze({});

/** Why one may not connect. */
export function* admitConnect(asked: AskedResource, options: object): Task<Refused | undefined> {
  if (!asked.core.webhooks.any) return undefined;
  const kind = asked.served.facts.subresources.find(each => each.name === asked.info.subresource)?.kind ?? '';
  const object = Object.freeze({apiVersion: 'v1', kind, metadata: NO_METADATA, ...options}) as unknown as AnyObject;
  const admitted = yield* admitByWebhooks({operation: 'CONNECT', write: writeOf(asked), object, old: undefined});
  return admitted instanceof Refused ? admitted : undefined;
}
