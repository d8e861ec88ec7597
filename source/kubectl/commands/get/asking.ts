// How `get` asks: which objects the flags choose, and in which form it wants the answer.
import {TABLE_TYPE} from '../../../api/wire/http.ts';
import type {SelectOptions} from '../../resources/select.ts';
import type {Session} from '../../session.ts';

const TABLE_ACCEPT = `${TABLE_TYPE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`;

/** What the flags of `get` choose. */
export function selectionOf(session: Session, form: 'table' | 'object'): SelectOptions {
  const {flags, args} = session;
  const query = form === 'table' && flags.text('sort-by') !== '' ? {includeObject: 'Object'} : undefined;
  return {
    args,
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    fields: flags.text('field-selector') || undefined,
    kindAlone: true,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
    chunk: flags.text('sort-by') === '' ? flags.number('chunk-size') : 0,
    ...(flags.text('subresource') === '' ? {} : {subresource: flags.text('subresource')}),
    asking: {...(form === 'table' ? {headers: {accept: TABLE_ACCEPT}} : {}), ...(query ? {query} : {})},
  };
}
