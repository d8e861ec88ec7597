// The patches of a kustomization: strategic merges and JSON patches, from files or in place, for one object or for all that fit.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {applyJsonPatch} from '../../api/schema/merge/index.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Folder} from './disk.ts';
import type {Kustomization, Patch, Selector} from './kustomization.ts';
import {mergeStrategic} from './merge.ts';
import {Refused} from './refused.ts';
import {gvkText, idOf, idText, type Resource, type Resources} from './resource.ts';
import {selected} from './select.ts';

/** `patchesStrategicMerge`: each is a file, or the patch itself. */
export function applyStrategic(folder: Folder, resources: Resources, {patchesStrategicMerge = []}: Kustomization): void {
  const patches: Fields[] = [];
  for (const entry of patchesStrategicMerge) {
    const here = objectsIn(entry);
    if (here) {
      patches.push(...here);
      continue;
    }
    const text = configured('PatchStrategicMergeTransformer', {paths: patchesStrategicMerge}, () => folder.read(entry));
    patches.push(...(objectsIn(text) ?? []));
  }
  for (const patch of patches) patchOne(resources, patch);
}

/** `patches` of either kind. */
export function applyPatches(folder: Folder, resources: Resources, {patches = []}: Kustomization): void {
  for (const entry of patches) applyEntry(folder, resources, entry);
}

function applyEntry(folder: Folder, resources: Resources, entry: Patch): void {
  const {text, name, config} = readPatch(folder, entry);
  const merges = objectsIn(text);
  const steps = jsonPatchIn(text);
  if (!merges && !steps)
    throw new Refused(`${configuring('PatchTransformer', config)}: unable to parse SM or JSON patch from [${name}]`);
  if (steps) {
    if (!entry.target) throw new Refused(`must specify a target for JSON patch [${name}]`);
    for (const resource of selected(resources.all, entry.target)) applySteps(resource, steps);
    return;
  }
  for (const patch of merges ?? [])
    if (entry.target) patchAll(resources, {patch, target: entry.target, options: entry.options ?? {}});
    else patchOne(resources, patch, entry.options);
}

function readPatch(folder: Folder, entry: Patch) {
  const {path = '', patch = '', target, options} = entry;
  const config = {
    ...(path === '' ? {} : {path}),
    ...(patch === '' ? {} : {patch}),
    ...(target ? {target} : {}),
    ...(options ? {options} : {}),
  };
  const refuse = (words: string) => new Refused(`${configuring('PatchTransformer', config)}: ${words}`);
  const shown = printYaml(config);
  if (path === '' && patch === '') throw refuse(`must specify one of patch and path in\n${shown}`);
  if (path !== '' && patch !== '') throw refuse(`patch and path can't be set at the same time\n${shown}`);
  if (path === '') return {text: patch, name: `patch: ${JSON.stringify(patch)}`, config};
  const text = configured(
    'PatchTransformer',
    config,
    () => folder.read(path),
    `failed to get the patch file from path(${path}): `,
  );
  return {text, name: `path: ${JSON.stringify(path)}`, config};
}

/** The words for a transformer that cannot be set up. */
function configuring(transformer: string, config: object): string {
  return `trouble configuring builtin ${transformer} with config: \`\n${printYaml(config)}\``;
}

function configured<T>(transformer: string, config: object, step: () => T, words = ''): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${configuring(transformer, config)}: ${words}${error.message}`);
    throw error;
  }
}

/** `patchesJson6902`. */
export function applyJson(folder: Folder, resources: Resources, {patchesJson6902 = []}: Kustomization): void {
  for (const {path = '', patch = '', target = {}} of patchesJson6902) {
    const config = {...(path === '' ? {jsonOp: patch} : {path}), target};
    const refuse = (words: string) => new Refused(`${configuring('PatchJson6902Transformer', config)}: ${words}`);
    if (path === '' && patch === '') throw refuse('must specify a json patch file path or inline patch');
    const text = path === '' ? patch : configured('PatchJson6902Transformer', config, () => folder.read(path));
    const steps = jsonPatchIn(text);
    if (!steps) throw refuse(`unable to parse JSON patch from ${text}`);
    if (steps.length === 0) throw refuse(`patch appears to be empty; file=${path}, JsonOp=${patch}`);
    const {group = '', version = '', kind = '', name = '', namespace = ''} = target;
    for (const resource of resources.known({group, version, kind, name, namespace})) applySteps(resource, steps);
  }
}

function applySteps(resource: Resource, steps: readonly unknown[]): void {
  const patched = applyJsonPatch(resource.object, steps);
  if ('error' in patched) throw new Refused(patched.error);
  resource.rename(patched.value as Fields);
}

/** A patch for the one object that it names. */
function patchOne(resources: Resources, patch: Fields, options: Patch['options'] = {}): void {
  const id = idOf(patch);
  const found = resources.known(id);
  const [resource] = found;
  if (!resource || found.length > 1)
    throw new Refused(
      `no resource matches strategic merge patch ${JSON.stringify(idText(id))}: ${found.length > 1 ? 'multiple' : 'no'} matches for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`,
    );
  mergeInto(resources, resource, {patch, options});
}

interface ForAll {
  readonly patch: Fields;
  readonly target: Selector;
  readonly options: NonNullable<Patch['options']>;
}

function patchAll(resources: Resources, {patch, target, options}: ForAll): void {
  for (const resource of selected(resources.all, target)) mergeInto(resources, resource, {patch, options});
}

/** Merges a patch; the object keeps its kind and name unless the patch may change them. */
function mergeInto(resources: Resources, resource: Resource, {patch, options}: Omit<ForAll, 'target'>): void {
  const {apiVersion, kind, metadata} = resource.object;
  const own = isFields(metadata) ? metadata : {};
  const {name: newName, namespace: _namespace, ...change} = isFields(patch['metadata']) ? patch['metadata'] : {};
  const meta = {...change, ...(options.allowNameChange && newName !== undefined ? {name: newName} : {})};
  const head = options.allowKindChange ? {} : {apiVersion, kind};
  const {metadata: _metadata, ...body} = patch;
  const merged = mergeStrategic(resource.object, {...body, ...head, metadata: {name: own['name'], ...meta}});
  if (merged) resource.rename(merged);
  else resources.all = resources.all.filter(other => other !== resource);
}

/** The objects of a strategic patch; undefined for a text that is none. */
function objectsIn(text: string): readonly Fields[] | undefined {
  const {documents, error} = readYaml(text, {plainWords: true});
  if (error || documents.length === 0) return undefined;
  const objects = documents.map(({value}) => value).filter(isFields);
  const isWhole = objects.length === documents.length && objects.every(object => typeof object['kind'] === 'string');
  return isWhole ? objects : undefined;
}

function jsonPatchIn(text: string): readonly unknown[] | undefined {
  const {documents, error} = readYaml(text, {plainWords: true});
  const value = documents[0]?.value;
  return !error && Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

/** As messages name a kind that a target means. */
export function targetText({group = '', version = '', kind = '', name = '', namespace = ''}: Selector): string {
  return `${gvkText({group, version, kind})}/${name || '[noName]'}.${namespace || '[noNs]'}`;
}
