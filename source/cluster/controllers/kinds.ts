// All kinds of the cluster: the built-in ones, and those that CustomResourceDefinitions describe, as they come and go.
import type {CustomResourceDefinition} from '../../api/kinds/apiextensions-v1.ts';
import {customResources} from '../../api/meta/custom-resources.ts';
import {splitApiVersion} from '../../api/meta/object.ts';
import {builtin, resourceOfKind, RESOURCES, type ResourceFacts} from '../../api/meta/resources.ts';
import type {Informer, Informers} from '../../client/informer.ts';

const definitions = builtin('apiextensions.k8s.io', 'customresourcedefinitions');

/** The built-in resources, each in its first version. */
const BUILTIN = RESOURCES.filter(
  ({group, resource}, index) => RESOURCES.findIndex(each => each.group === group && each.resource === resource) === index,
);

/** Knows the kinds. */
export class Kinds {
  readonly #informer: Informer<CustomResourceDefinition>;
  #custom: readonly ResourceFacts[] | undefined;

  constructor(informers: Informers) {
    this.#informer = informers.of<CustomResourceDefinition>(definitions);
    const forget = (): void => {
      this.#custom = undefined;
    };
    this.#informer.on({added: forget, updated: forget, deleted: forget});
  }

  /** What definitions describe, each in its newest version. */
  get custom(): readonly ResourceFacts[] {
    const {store} = this.#informer;
    return (this.#custom ??= [...store.values()].flatMap(definition => customResources(definition).slice(0, 1)));
  }

  /** Everything, each in one version. */
  get all(): readonly ResourceFacts[] {
    return [...BUILTIN, ...this.custom];
  }

  /** The namespaced resource of a group and plural name. */
  namespaced(group: string, resource: string): ResourceFacts | undefined {
    return this.all.find(each => each.namespaced && each.group === group && each.resource === resource);
  }

  /** The resource of an `apiVersion` and kind. */
  ofKind(apiVersion: string, kind: string): ResourceFacts | undefined {
    const found = resourceOfKind(apiVersion, kind);
    if (found) return found;
    const {group} = splitApiVersion(apiVersion);
    return this.custom.find(each => each.group === group && each.kind === kind);
  }

  /** Is it a custom resource? */
  isCustom({group, resource}: ResourceFacts): boolean {
    return this.custom.some(each => each.group === group && each.resource === resource);
  }

  /** Calls `heard` when a kind comes or changes, and now. */
  onChange(heard: () => void): void {
    this.#informer.on({added: heard, updated: heard, deleted: heard});
  }
}
