// A Kubernetes object in a level file: its kind must be one that the API server has, and it must have a name. Its fields are
// checked by the API server itself when the level is opened, as strictly as a player's.
import {deepFreeze, type AnyObject} from '../../api/meta/object.ts';
import {resourceOfKind} from '../../api/meta/resources.ts';
import {anything, type Reader} from './reader.ts';

export function kubeObject(): Reader<AnyObject> {
  const any = anything();
  return (node, place) => {
    const value = any(node, place);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      place.report(node, 'a Kubernetes object is wanted here');
      return undefined;
    }
    const {apiVersion, kind, metadata} = value as {apiVersion?: unknown; kind?: unknown; metadata?: {name?: unknown}};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') place.report(node, 'an object has an apiVersion and a kind');
    else if (!resourceOfKind(apiVersion, kind)) place.report(node, `the API server has no kind ${kind} in ${apiVersion}`);
    else if (typeof metadata?.name !== 'string') place.report(node, 'an object has a metadata.name');
    else return deepFreeze(value as AnyObject);
    return undefined;
  };
}
