// A resource and its subresources as plain discovery lists them.
import type {ResourceFacts} from '../../../api/meta/resources.ts';

/** One version of a group, with its resources as plain discovery lists them. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly PlainResource[];
}

/** A line of an APIResourceList. */
export interface PlainResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** The lines of a resource: its own and one for each subresource. */
export function linesOf(facts: ResourceFacts): readonly PlainResource[] {
  const {resource, singular, namespaced, kind, verbs, shortNames, categories, storageVersionHash, subresources} = facts;
  const own: PlainResource = {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 ? {shortNames} : {}),
    ...(categories.length > 0 ? {categories} : {}),
    ...(storageVersionHash ? {storageVersionHash} : {}),
  };
  return [
    own,
    ...subresources.map(({name, kind: typed, verbs: can}): PlainResource => {
      const [subKind = '', version, group] = typed.split('/').reverse();
      return {
        name: `${resource}/${name}`,
        singularName: '',
        namespaced,
        ...(version ? {group: group ?? '', version} : {}),
        kind: subKind,
        verbs: can,
      };
    }),
  ];
}
