// `kustomize`: the objects that a folder's kustomization stands for. Its resources and those of its bases are read, what it generates is
// added, its components work on all of that, then its transformers, and in the end names get their hashes and references follow them.
//
// Not done: remote bases, Helm charts, plugins, `vars`, `configurations`, `validators`, `openapi`, `crds`.
import type {AnyObject} from '../../api/meta/object.ts';
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Process} from '../../sim/process/process.ts';
import {fail, type Failure} from '../failure.ts';
import {Folder} from './disk.ts';
import {generate, hashOf} from './generators.ts';
import {readKustomization, type Kustomization} from './kustomization.ts';
import {inOrder} from './order.ts';
import {applyJson, applyPatches, applyStrategic} from './patches.ts';
import {mendReferences} from './references.ts';
import {Refused, within} from './refused.ts';
import {replaceValues} from './replacements.ts';
import {Resource, Resources} from './resource.ts';
import {addAnnotations, addLabels, affixNames, setImages, setNamespace, setReplicas} from './transform.ts';

/** What a build came to; warnings are for standard error. */
export interface Built {
  readonly result: readonly AnyObject[] | Failure;
  readonly warnings: string;
}

/** Builds a folder; `anywhere` allows to read files that are not in it. */
export function buildKustomization(process: Process, name: string, anywhere = false): Built {
  const warnings: string[] = [];
  try {
    const folder = Folder.open(process, name, anywhere);
    const {kustomization, resources} = accumulate(folder, {warnings, wants: 'anything'});
    addHashes(resources);
    mendReferences(resources);
    const objects = sorted(resources, kustomization).map(({object}) => object as unknown as AnyObject);
    return {result: objects, warnings: warnings.join('')};
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return {result: fail(error.message), warnings: warnings.join('')};
  }
}

interface Layer {
  readonly warnings: string[];
  readonly wants: 'component' | 'base' | 'anything';
  /** The objects that a component works on. */
  readonly component?: Resources;
}

function accumulate(folder: Folder, {warnings, wants, component}: Layer): {kustomization: Kustomization; resources: Resources} {
  const {kustomization, warnings: own} = readKustomization(folder);
  warnings.push(...own);
  const isComponent = kustomization.kind === 'Component';
  if (wants === 'component' && !isComponent)
    throw new Refused(`expected kind 'Component' for path '${folder.path}' but got 'Kustomization'`);
  if (wants === 'base' && isComponent) throw new Refused(`expected kind != 'Component' for path '${folder.path}'`);
  const resources = component ?? new Resources();
  within('accumulating resources', () => {
    for (const path of kustomization.resources ?? []) readResource(folder, path, {resources, warnings});
  });
  checkLists(folder, kustomization);
  generate(folder, kustomization, resources);
  within('accumulating components', () => {
    for (const path of kustomization.components ?? []) addComponent(folder, path, {resources, warnings});
  });
  transform(folder, kustomization, resources);
  return {kustomization, resources};
}

function checkLists(folder: Folder, {crds = [], generators = [], transformers = [], sortOptions}: Kustomization): void {
  within(`loading CRDs [${crds.join(' ')}]`, () => {
    for (const path of crds) folder.read(path);
  });
  for (const path of [...generators, ...transformers]) {
    const kind = readObjects(folder.read(path), path)[0]?.['kind'];
    throw new Refused(`external plugins disabled; unable to load external plugin '${String(kind)}'`);
  }
  const order = sortOptions?.order;
  if (sortOptions && order !== 'fifo' && order !== 'legacy')
    throw new Refused("the field 'sortOptions.order' must be one of [fifo, legacy]");
}

interface Under {
  readonly resources: Resources;
  readonly warnings: string[];
}

/** A resource is a file, or a folder with a kustomization. */
function readResource(folder: Folder, path: string, under: Under): void {
  try {
    readFile(folder, path, under.resources);
    return;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.malformed) throw error;
    within(`accumulation err='${error.message}'`, () => readBase(folder, path, under));
  }
}

function readFile(folder: Folder, path: string, resources: Resources): void {
  const objects = within(`accumulating resources from '${path}'`, () => readObjects(folder.read(path), path));
  within(`merging resources from '${path}'`, () => {
    for (const object of objects) resources.add(new Resource(object));
  });
}

function readBase(folder: Folder, path: string, {resources, warnings}: Under): void {
  const base = folder.base(path);
  const built = recursed(base, () => accumulate(base, {warnings, wants: 'base'}));
  within(`recursed merging from path '${base.path}'`, () => resources.addAll(built.resources.all));
}

/** What goes wrong below is told with its place, but for a kustomization that cannot even be read. */
function recursed<T>(base: Folder, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Refused) || error.message.startsWith('expected kind')) throw error;
    if (
      /^(unable to find one of|Found multiple|Failed to read|invalid Kustomization|kustomization.yaml is empty)/.test(
        error.message,
      )
    )
      throw new Refused(`couldn't make target for path '${base.path}': ${error.message}`);
    throw new Refused(`recursed accumulation of path '${base.path}': ${error.message}`);
  }
}

function addComponent(folder: Folder, path: string, {resources, warnings}: Under): void {
  let base: Folder;
  try {
    base = folder.base(path);
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`loader.New ${JSON.stringify(error.message)}`);
    throw error;
  }
  try {
    recursed(base, () => accumulate(base, {warnings, wants: 'component', component: resources}));
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`accumulateDirectory: ${JSON.stringify(error.message)}`);
    throw error;
  }
}

/** The objects of a file; lists are taken apart. */
function readObjects(text: string, path: string): readonly Fields[] {
  const {documents, error} = readYaml(text, {plainWords: true});
  if (error)
    throw new Refused(`MalformedYAMLError: ${error.message.replace(/^error converting YAML to JSON: /, '')} in File: ${path}`, {
      malformed: true,
    });
  return flattened(documents.map(({value}) => value)).map(checked);
}

/** The items of lists come after what stands alone. */
function flattened(values: readonly unknown[]): readonly unknown[] {
  const isList = (value: unknown): value is Fields =>
    isFields(value) && String(value['kind']).endsWith('List') && Array.isArray(value['items']);
  const lists = values.filter(isList);
  const alone = values.filter(value => !isList(value));
  return lists.length === 0 ? alone : [...alone, ...flattened(lists.flatMap(list => list['items'] as readonly unknown[]))];
}

function checked(value: unknown): Fields {
  if (!isFields(value)) throw new Refused('missing Resource metadata');
  const {apiVersion = '', kind = '', metadata} = value;
  if (apiVersion === '' && kind === '' && metadata === undefined) throw new Refused('missing Resource metadata');
  const name = isFields(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  const shown = `{{${String(apiVersion)} ${String(kind)}} {{${name} } map[] map[]}}`;
  if (kind === '') throw new Refused(`missing kind in object ${shown}`);
  if (name === '') throw new Refused(`missing metadata.name in object ${shown}`);
  return value;
}

function transform(folder: Folder, kustomization: Kustomization, resources: Resources): void {
  applyStrategic(folder, resources, kustomization);
  applyPatches(folder, resources, kustomization);
  setNamespace(resources, kustomization.namespace);
  affixNames(resources, kustomization.namePrefix, kustomization.nameSuffix);
  addLabels(resources, kustomization);
  addAnnotations(resources, kustomization);
  applyJson(folder, resources, kustomization);
  setReplicas(resources, kustomization);
  setImages(resources, kustomization);
  replaceValues(folder, resources, kustomization);
}

function addHashes({all}: Resources): void {
  for (const resource of all)
    if (resource.needsHash) {
      const {metadata} = resource;
      resource.rename({...resource.object, metadata: {...metadata, name: `${resource.name}-${hashOf(resource)}`}});
    }
}

function sorted({all}: Resources, {sortOptions}: Kustomization): readonly Resource[] {
  if (sortOptions?.order === 'fifo') return all;
  const {orderFirst, orderLast} = sortOptions?.legacySortOptions ?? {};
  return inOrder(all, {...(orderFirst ? {first: orderFirst} : {}), ...(orderLast ? {last: orderLast} : {})});
}
