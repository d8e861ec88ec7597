// What a request is about, as webhooks see it: the resource and kind that were asked for, and the object in that version.
// (Stored objects are in the stored version; what was asked for may be another view of them.)
import {splitApiVersion, type AnyObject} from '../../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../../api/meta/resources.ts';
import type {Served} from '../../registry/served.ts';
import type {Attributes} from '../../registry/write.ts';
import type {TypedKind} from '../../registry/schema.ts';

/** One version of what is written. */
export interface View {
  readonly resource: {readonly group: string; readonly version: string; readonly resource: string};
  readonly kind: TypedKind;
  /** The kind with what its definition says of it, by which a patched object is decoded. */
  readonly typed: TypedKind;
  /** From the stored version, and back. */
  read(object: AnyObject): AnyObject;
  write(object: AnyObject): AnyObject;
}

/** A request on its way through the webhooks. */
export interface Subject {
  readonly attributes: Attributes;
  readonly operation: Attributes['operation'];
  /** As it was asked for. */
  readonly view: View;
  /** Other versions in which the same object is served. */
  readonly others: readonly View[];
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

const same = (object: AnyObject): AnyObject => object;

/** Reads off what a write is about. */
export function subjectOf(attributes: Attributes): Subject {
  const {write, operation, object, old} = attributes;
  const {served, subresource, info, core} = write;
  const twins = subresource === '' || subresource === 'status' ? core.resources.all.filter(each => isTwin(each, served)) : [];
  const {facts} = served;
  const namespace = facts.resource === 'namespaces' ? info.name || (object?.metadata.name ?? '') : info.namespace;
  return {
    attributes,
    operation,
    view: viewOf(served, attributes),
    others: twins.map(twin => viewOf(twin, attributes)),
    subresource,
    namespace,
    name: info.name || (object ?? old)?.metadata.name || '',
  };
}

/** Another version of the same stored objects. */
function isTwin(each: Served, served: Served): boolean {
  return each !== served && each.stored && each.prefix === served.prefix;
}

function viewOf({facts, conversion}: Served, {write, old}: Attributes): View {
  const {group, version, resource} = facts;
  const kind = kindOf(facts, write.subresource);
  return {
    resource: {group, version, resource},
    kind,
    typed: kind.kind === facts.kind && kind.group === group && kind.version === version ? facts : kind,
    read: conversion ? object => conversion.read(object) : same,
    write: conversion ? object => conversion.write(object, old) : same,
  };
}

/** The kind of a subresource may be another than the resource's: `policy/v1/Eviction`. */
function kindOf(facts: ResourceFacts, subresource: string): TypedKind {
  const own = {group: facts.group, version: facts.version, kind: facts.kind};
  const named = subresource === '' ? undefined : facts.subresources.find(each => each.name === subresource)?.kind;
  if (named === undefined) return own;
  const slash = named.lastIndexOf('/');
  if (slash < 0) return named === facts.kind ? own : {group: '', version: 'v1', kind: named};
  return {...splitApiVersion(named.slice(0, slash)), kind: named.slice(slash + 1)};
}
