// What a CustomResourceDefinition serves: resources like the built-in ones, known only while the cluster runs.
import type {CustomResourceDefinition, CustomResourceDefinitionVersion} from '../kinds/apiextensions-v1.ts';
import {isConditionTrue} from './conditions.ts';
import {sha256Bytes} from './hash.ts';
import type {ResourceFacts, Subresource} from './resources.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUB_VERBS = ['get', 'patch', 'update'];
const HASHED = 8;

/** Is the kind served? Names that were accepted are enough for requests to be answered. */
export function isServed(definition: CustomResourceDefinition): boolean {
  const {conditions} = definition.status ?? {};
  return isConditionTrue(conditions, 'Established') || isConditionTrue(conditions, 'NamesAccepted');
}

/** The version in which objects are stored. */
export function storageVersion({spec}: CustomResourceDefinition): CustomResourceDefinitionVersion | undefined {
  return spec.versions.find(version => version.storage);
}

/** The resources of a definition, one for each served version, the newest first. */
export function customResources(definition: CustomResourceDefinition): readonly ResourceFacts[] {
  if (!isServed(definition)) return [];
  return definition.spec.versions
    .filter(version => version.served)
    .toSorted((a, b) => compareVersions(a.name, b.name))
    .map(version => factsOf(definition, version));
}

function factsOf({spec, status}: CustomResourceDefinition, version: CustomResourceDefinitionVersion): ResourceFacts {
  const names = status?.acceptedNames ?? spec.names;
  const subresources: Subresource[] = [];
  if (version.subresources?.status) subresources.push({name: 'status', kind: names.kind, verbs: SUB_VERBS});
  if (version.subresources?.scale) subresources.push({name: 'scale', kind: 'autoscaling/v1/Scale', verbs: SUB_VERBS});
  return Object.freeze({
    group: spec.group,
    version: version.name,
    resource: names.plural,
    kind: names.kind,
    namespaced: spec.scope === 'Namespaced',
    singular: names.singular ?? '',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: VERBS,
    subresources,
    storageVersionHash: versionHash(`${spec.group}/${storageVersionName(spec.versions)}/${names.kind}`),
    columns: [],
  });
}

function storageVersionName(versions: readonly CustomResourceDefinitionVersion[]): string {
  return versions.find(version => version.storage)?.name ?? '';
}

function versionHash(text: string): string {
  return Buffer.from(sha256Bytes(text).subarray(0, HASHED)).toString('base64');
}

/** Puts v2 before v1, v1 before v1beta1, and names of no such form last. */
export function compareVersions(a: string, b: string): number {
  const left = rankOf(a);
  const right = rankOf(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : Number(a > b);
  for (const [i, rank] of left.entries()) if (rank !== right[i]) return (right[i] ?? 0) - rank;
  return 0;
}

function rankOf(version: string): readonly number[] | undefined {
  const found = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!found) return undefined;
  const [, major, stage, minor] = found;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor ?? 0)];
}
