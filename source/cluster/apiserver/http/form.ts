// How an answer is to look: the object itself, a table for people, or metadata alone; as JSON or YAML. The client says so in
// `Accept`, in the order of its wishes; the first that the server can make is taken.
import type {AnyObject} from '../../../api/meta/object.ts';
import {notAcceptable} from '../../../api/meta/status.ts';
import {refuse, Refused} from './refused.ts';

/** The shape and the language of an answer. */
export interface Form {
  readonly as: 'object' | 'table' | 'partial';
  readonly language: 'json' | 'yaml';
}

const PLAIN: Form = Object.freeze({as: 'object', language: 'json'});
const ACCEPTED = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

const known = new Map<string | undefined, Form | Refused>([[undefined, PLAIN]]);

/** The form that an `Accept` header asks for. */
export function formOf(accept: string | undefined): Form | Refused {
  const found = known.get(accept);
  if (found) return found;
  const made = readAccept(accept ?? '');
  if (known.size > 200) known.clear();
  known.set(undefined, PLAIN).set(accept, made);
  return made;
}

function readAccept(accept: string): Form | Refused {
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map(part => part.trim());
    const language = LANGUAGES[type];
    if (!language) continue;
    const said = new Map(parameters.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
    const wanted = said.get('as');
    const as = wanted === undefined ? 'object' : SHAPES[wanted];
    const isOurs = wanted === undefined || (said.get('g') === 'meta.k8s.io' && VERSIONS.has(said.get('v') ?? ''));
    if (as && isOurs) return Object.freeze({as, language});
  }
  return accept.trim() === '' ? PLAIN : refuse(notAcceptable(ACCEPTED));
}

const LANGUAGES: Readonly<Record<string, Form['language']>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  '*/*': 'json',
  'application/*': 'json',
  'application/vnd.kubernetes.protobuf': 'json',
};
const SHAPES: Readonly<Record<string, Form['as']>> = {
  Table: 'table',
  PartialObjectMetadata: 'partial',
  PartialObjectMetadataList: 'partial',
};

const VERSIONS = new Set(['v1', 'v1beta1']);

const partials = new WeakMap<AnyObject, AnyObject>();

/** An object's metadata alone, as an object. */
export function partialOf(object: AnyObject): AnyObject {
  const made = partials.get(object);
  if (made) return made;
  const partial = Object.freeze({kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata});
  partials.set(object, partial);
  return partial;
}
