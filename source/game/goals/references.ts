// Objects as a level names them: `deploy/shop/web`, `node/gpu-1`, `svc/shop/web`. The first word is a resource, a kind or a short name.
import {isMap} from 'yaml';
import {RESOURCES, type ResourceFacts} from '../../api/meta/resources.ts';
import type {Reader} from '../level/reader.ts';
import {needed, optional, record, text} from '../level/reader.ts';
import type {ObjectReference} from './check.ts';

/** The resource that a word stands for. */
export function resourceOf(word: string): ResourceFacts | undefined {
  const lower = word.toLowerCase();
  return RESOURCES.find(
    ({resource, singular, kind, shortNames, verbs}) =>
      verbs.includes('get') &&
      (resource === lower || singular === lower || kind.toLowerCase() === lower || shortNames.includes(lower)),
  );
}

const spelled = record({kind: needed(text()), namespace: optional(text()), name: needed(text())});

/** Reads `kind/namespace/name`, or `kind/name` for what has no namespace; or the same as a map. */
export function objectReference(): Reader<ObjectReference> {
  const plain = text();
  return (node, place) => {
    const parts = isMap(node) ? spelled(node, place) : undefined;
    if (isMap(node) && !parts) return undefined;
    const words = parts ? [parts.kind, parts.namespace, parts.name].filter(Boolean).join('/') : plain(node, place);
    if (words === undefined) return undefined;
    const [kind = '', ...rest] = words.split('/');
    const resource = resourceOf(kind);
    if (!resource) {
      place.report(node, `there is no kind ${JSON.stringify(kind)}`);
      return undefined;
    }
    const [namespace, name] = resource.namespaced ? rest : [undefined, ...rest];
    if (name === undefined || name === '' || rest.length !== (resource.namespaced ? 2 : 1)) {
      place.report(node, resource.namespaced ? `${kind}/NAMESPACE/NAME is wanted here` : `${kind}/NAME is wanted here`);
      return undefined;
    }
    return {resource, namespace, name};
  };
}

/** A reference as a text again. */
export function referenceText({resource, namespace, name}: ObjectReference): string {
  return [resource.singular, namespace, name].filter(Boolean).join('/');
}
