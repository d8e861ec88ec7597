// Who owns the fields of the objects that a cluster begins with: the server that made them, under its name or under that of the part of
// it that did. What others put in since is theirs, or nobody's where the server filled it in by itself.
import type {AnyObject} from '../../../api/meta/object.ts';
import {afterWrite, NO_FIELDS} from '../../../api/schema/ownership/index.ts';
import type {Core} from '../core.ts';
import {CONSUMER, PRODUCER} from '../flow/names.ts';
import {ownedWhenCreated, shapeOf, writerOf} from '../registry/ownership.ts';
import {ownWrite} from '../registry/own-write.ts';
import type {Served} from '../registry/served.ts';

/** How an object came to be what it is: as it was written first, and who applied the rest. */
interface Origin {
  readonly maker?: string;
  readonly first: AnyObject;
  readonly completer?: {readonly manager: string; readonly subresource: string};
}

function without(object: AnyObject, ...fields: readonly string[]): AnyObject {
  const kept = Object.entries(object).filter(([name]) => !fields.includes(name));
  return Object.fromEntries(kept) as AnyObject;
}

function withSpecOf(object: AnyObject, ...filledIn: readonly string[]): AnyObject {
  return {...object, spec: without(object.spec as AnyObject, ...filledIn)};
}

const ORIGINS: Readonly<Record<string, (object: AnyObject) => Origin>> = {
  Namespace: object => ({first: withSpecOf(object, 'finalizers')}),
  Service: object => ({first: withSpecOf(object, 'clusterIPs', 'ipFamilies')}),
  PriorityLevelConfiguration: first => ({maker: PRODUCER, first}),
  FlowSchema: object => ({
    maker: PRODUCER,
    first: without(object, 'status'),
    completer: {manager: CONSUMER, subresource: 'status'},
  }),
  ClusterRole: object =>
    object['aggregationRule'] === undefined
      ? {first: object}
      : {first: without(object, 'rules'), completer: {manager: 'clusterrole-aggregation-controller', subresource: ''}},
};

/** The object with its owners. */
export function owned(core: Core, served: Served, object: AnyObject): AnyObject {
  const {maker, first, completer} = ORIGINS[object.kind]?.(object) ?? {first: object};
  const own = ownWrite(core, served);
  const made = ownedWhenCreated(maker === undefined ? own : {...own, manager: maker}, first);
  const managedFields =
    completer && made
      ? afterWrite(made, {
          writer: writerOf({...own, ...completer, applies: true}),
          time: core.daemon.now(),
          shape: shapeOf(served.facts),
          before: first,
          after: object,
          ignored: NO_FIELDS,
        })
      : made;
  return Object.freeze({...object, metadata: Object.freeze({...object.metadata, ...(managedFields ? {managedFields} : {})})});
}
