// Config maps and secrets that a kustomization makes from literals, files and lists of variables.
import {compactJson} from '../print/json.ts';
import {contentHash} from '../commands/create/content-hash.ts';
import type {Folder} from './disk.ts';
import type {GeneratorArgs, GeneratorOptions, Kustomization} from './kustomization.ts';
import {Refused, within} from './refused.ts';
import {idText, Resource, sameId, type Behavior, type Id, type Resources} from './resource.ts';

type Pair = readonly [key: string, text: string];

/** Adds what a kustomization generates. */
export function generate(
  folder: Folder,
  {configMapGenerator, secretGenerator, generatorOptions}: Kustomization,
  into: Resources,
): void {
  for (const args of configMapGenerator ?? []) take(into, made(folder, 'ConfigMap', args, generatorOptions));
  for (const args of secretGenerator ?? []) take(into, made(folder, 'Secret', args, generatorOptions));
}

function made(folder: Folder, kind: 'ConfigMap' | 'Secret', args: GeneratorArgs, common: GeneratorOptions = {}): Resource {
  const {name = '', namespace = '', options = {}} = args;
  const word = kind.toLowerCase();
  if (name === '') throw new Refused(`a ${word} must have a name`);
  const pairs = within('loading KV pairs', () => pairsOf(folder, args));
  const seen = new Set<string>();
  for (const [key] of pairs) {
    if (seen.has(key)) throw new Refused(`${word} ${name} illegally repeats the key \`${key}\``);
    seen.add(key);
  }
  const labels = {...common.labels, ...options.labels};
  const annotations = {...common.annotations, ...options.annotations};
  const metadata = {
    name,
    ...(namespace === '' ? {} : {namespace}),
    ...(Object.keys(labels).length > 0 ? {labels} : {}),
    ...(Object.keys(annotations).length > 0 ? {annotations} : {}),
  };
  const immutable = common.immutable === true || options.immutable === true ? {immutable: true} : {};
  const resource = new Resource({
    apiVersion: 'v1',
    kind,
    metadata,
    ...(kind === 'Secret' ? secretData(pairs, args.type) : configData(pairs)),
    ...immutable,
  });
  resource.behavior = behaviorOf(args.behavior);
  resource.needsHash = !(common.disableNameSuffixHash ?? false) && !(options.disableNameSuffixHash ?? false);
  return resource;
}

function behaviorOf(word: string | undefined): Behavior {
  return word === 'merge' || word === 'replace' ? word : 'create';
}

function pairsOf(folder: Folder, {literals = [], files = [], envs = [], env = ''}: GeneratorArgs): readonly Pair[] {
  const lists = env === '' ? envs : [...envs, env];
  return [
    ...within(`env source files: [${lists.join(' ')}]`, () => lists.flatMap(path => variables(folder.read(path)))),
    ...within(`literal sources [${literals.join(' ')}]`, () => literals.map(literal)),
    ...within(`file sources: [${files.join(' ')}]`, () => files.map(source => fileOf(folder, source))),
  ];
}

function literal(source: string): Pair {
  const at = source.indexOf('=');
  if (at < 1) throw new Refused(`invalid literal source ${source}, expected key=value`);
  const value = source.slice(at + 1);
  const isQuoted = value.length > 1 && /^(["']).*\1$/s.test(value);
  return [source.slice(0, at), isQuoted ? value.slice(1, -1) : value];
}

function fileOf(folder: Folder, source: string): Pair {
  const parts = source.split('=');
  const [first = '', second] = parts;
  if (parts.length > 2) throw new Refused(`source ${source} key name or file path contains '='`);
  if (second === undefined) return [first.split('/').at(-1) ?? first, folder.read(first)];
  if (first === '') throw new Refused(`missing key name for file path ${second} in source ${source}`);
  if (second === '') throw new Refused(`missing file path for key name ${first} in source ${source}`);
  return [first, folder.read(second)];
}

function variables(text: string): readonly Pair[] {
  return text.split('\n').flatMap((line): Pair[] => {
    const words = line.replace(/^\s+/, '').replace(/\r$/, '');
    if (words === '' || words.startsWith('#')) return [];
    const at = words.indexOf('=');
    return [at < 0 ? [words, ''] : [words.slice(0, at), words.slice(at + 1)]];
  });
}

function configData(pairs: readonly Pair[]): object {
  const data = Object.fromEntries(pairs.filter(([, text]) => !isBinary(text)));
  const binaryData = Object.fromEntries(pairs.filter(([, text]) => isBinary(text)).map(([key, text]) => [key, base64(text)]));
  return {...(Object.keys(data).length > 0 ? {data} : {}), ...(Object.keys(binaryData).length > 0 ? {binaryData} : {})};
}

function secretData(pairs: readonly Pair[], type = 'Opaque'): object {
  const data = Object.fromEntries(pairs.map(([key, text]) => [key, base64(text)]));
  return {...(pairs.length > 0 ? {data} : {}), type};
}

/** A text from bytes that are no UTF-8 has one character for each: high ones, and somewhere a control character. */
function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  return /[\u0080-\u00ff]/.test(text) && /[\0-\u0008]/.test(text) && !/[^\0-\u00ff]/.test(text);
}

function base64(text: string): string {
  return Buffer.from(text, isBinary(text) ? 'latin1' : 'utf8').toString('base64');
}

/** A generated object joins the others: as a new one, or over one that is there. */
function take(into: Resources, resource: Resource): void {
  const {behavior, firstId} = resource;
  const there = into.all.filter(other => other.names.some(name => sameId(name, firstId)));
  const [old] = there;
  const words = () => `merging from generator ${GENERATOR}: id ${goId(firstId)}`;
  if (there.length > 1) throw new Refused(`found multiple objects ${idText(firstId)} that could accept merge`);
  if (!old) {
    if (behavior !== 'create') throw new Refused(`${words()} does not exist; cannot merge or replace`);
    into.add(resource);
    return;
  }
  if (behavior === 'create') throw new Refused(`${words()} exists; behavior must be merge or replace`);
  const {metadata: kept} = old;
  const {metadata} = resource;
  const joined = (field: 'labels' | 'annotations') => {
    const both = {...(kept[field] as object | undefined), ...(metadata[field] as object | undefined)};
    return Object.keys(both).length > 0 ? {[field]: both} : {};
  };
  const heldBefore = behavior === 'merge' ? old.object : {};
  const merged = (field: 'data' | 'binaryData') => {
    const both = {
      ...(heldBefore[field as keyof typeof heldBefore] as object | undefined),
      ...(resource.object[field] as object | undefined),
    };
    return Object.keys(both).length > 0 ? {[field]: both} : {};
  };
  const {data: _data, binaryData: _binary, ...rest} = {...heldBefore, ...resource.object};
  old.object = {
    ...rest,
    metadata: {...kept, ...joined('labels'), ...joined('annotations')},
    ...merged('data'),
    ...merged('binaryData'),
  };
  if (resource.needsHash) old.needsHash = true;
}

/** Go prints where the generator lies in its memory. */
const GENERATOR = '&{0xc000742750 <nil>}';

function goId({group, version, kind, name, namespace}: Id): string {
  return `resid.ResId{Gvk:resid.Gvk{Group:${JSON.stringify(group)}, Version:${JSON.stringify(version)}, Kind:${JSON.stringify(kind)}, isClusterScoped:false}, Name:${JSON.stringify(name)}, Namespace:${JSON.stringify(namespace)}}`;
}

/** The end of a generated object's name. */
export function hashOf({object}: Resource): string {
  const {kind, data, binaryData, type} = object as Record<string, unknown>;
  if (kind === 'ConfigMap')
    return contentHash({kind, name: '', data: data ?? '', ...(binaryData === undefined ? {} : {binaryData})});
  if (kind === 'Secret') return contentHash({kind, name: '', type: type ?? '', data: data ?? ''});
  return contentHash({content: compactJson(object)});
}
