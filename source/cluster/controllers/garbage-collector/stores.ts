// What informers know of all kinds that are part of the graph.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import {splitKey, type KubeObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import type {Context} from '../context.ts';
import type {Item} from './graph.ts';

const NO_INDEX: Index<KubeObject> = {of: () => new Map()};

export class Stores {
  readonly #context: Pick<Context, 'informers' | 'kinds'>;
  readonly #stores = new Map<string, Informer<KubeObject>>();
  readonly #uids = new Map<string, Index<KubeObject>>();

  constructor(context: Pick<Context, 'informers' | 'kinds'>) {
    this.#context = context;
  }

  get all(): readonly Informer<KubeObject>[] {
    return [...this.#stores.values()];
  }

  get(resource: ResourceFacts): Informer<KubeObject> | undefined {
    return this.#stores.get(nameOf(resource));
  }

  /** A kind joins; its informer. */
  add(resource: ResourceFacts): Informer<KubeObject> {
    const informer = this.#context.informers.of<KubeObject>(resource);
    this.#stores.set(nameOf(resource), informer);
    return informer;
  }

  /** An item's object, where it is known. */
  objectOf({uid, resource, key}: Item): KubeObject | undefined {
    const object = this.get(resource)?.get(key);
    return object?.metadata.uid === uid ? object : undefined;
  }

  /** The object in the owner's place: in the dependent's namespace, or in none. */
  ownerOf(item: Item, reference: OwnerReference): KubeObject | undefined {
    const resource = this.#context.kinds.ofKind(reference.apiVersion, reference.kind);
    return resource && this.get(resource)?.get(ownerKey(item, resource, reference));
  }

  /** Is an object with this uid anywhere? An index is kept from the first time on that somebody names an owner in the wrong place. */
  isAnywhere(resource: ResourceFacts, uid: string): boolean {
    const name = nameOf(resource);
    const known = this.#uids.get(name) ?? this.#stores.get(name)?.index(object => [object.metadata.uid]) ?? NO_INDEX;
    this.#uids.set(name, known);
    return known.of(uid).size > 0;
  }
}

function nameOf({group, resource}: ResourceFacts): string {
  return `${group}/${resource}`;
}

/** Where an owner must be. */
export function ownerKey(item: Item, resource: ResourceFacts, {name}: OwnerReference): string {
  const {namespace} = splitKey(item.key);
  return resource.namespaced && namespace !== undefined ? `${namespace}/${name}` : name;
}
