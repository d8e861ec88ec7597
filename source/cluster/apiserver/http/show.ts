// The last step of a read: objects in the form that was asked for.
import type {AnyObject} from '../../../api/meta/object.ts';
import {arrangedBody} from '../../../api/schema/index.ts';
import type {Answer} from '../../../api/wire/http.ts';
import type {Served} from '../registry/served.ts';
import {yamlText} from '../registry/schema.ts';
import {partialOf, type Form} from './form.ts';
import {json} from './reply.ts';
import {tableOf} from './table.ts';

/** What a form needs beside the object. */
export interface Showing {
  readonly served: Served;
  readonly form: Form;
  readonly nowMs: number;
  readonly include: string;
  /** Whoever writes the answer down writes YAML too, and need not have it all at once. */
  readonly isWritten: boolean;
}

/** What a list says of itself. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

const YAML_HEADERS = Object.freeze({'cache-control': 'no-cache, private', 'content-type': 'application/yaml'});

/** An answer with one object. */
export function showObject(showing: Showing, status: number, object: AnyObject): Answer {
  const {form} = showing;
  if (form.as === 'object' && form.language === 'json' && !showing.served.conversion) return json(status, object);
  return inLanguage(showing, status, shapeOf(showing, object));
}

/** One object in its form: the table has one row. */
export function shapeOf(showing: Showing, object: AnyObject, headers = true): unknown {
  const {served, form, nowMs, include} = showing;
  if (form.as === 'partial') return partialOf(object);
  const view = served.conversion ? served.conversion.read(object) : object;
  if (form.as === 'object') return view;
  return tableOf(served.facts, [view], {nowMs, include, headers, metadata: {resourceVersion: object.metadata.resourceVersion}});
}

/** An answer with a list. */
export function showList(showing: Showing, objects: readonly AnyObject[], metadata: ListMetadata): Answer {
  const {served, form, nowMs, include} = showing;
  const {facts, conversion} = served;
  if (form.as === 'partial') {
    return inLanguage(showing, 200, {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: objects.map(partialOf),
    });
  }
  const views = conversion ? objects.map(object => conversion.read(object)) : objects;
  if (form.as === 'table') return inLanguage(showing, 200, tableOf(facts, views, {nowMs, include, headers: true, metadata}));
  const apiVersion = facts.group === '' ? facts.version : `${facts.group}/${facts.version}`;
  return inLanguage(showing, 200, {kind: `${facts.kind}List`, apiVersion, metadata, items: views});
}

function inLanguage({form, isWritten}: Showing, status: number, body: unknown): Answer {
  if (form.language === 'json') return json(status, body);
  return {status, headers: YAML_HEADERS, body: isWritten ? body : yamlText(arrangedBody(body))};
}
