// The fields of a kustomization and their types, and what is said of a text that has others.
import {jsonKind} from '../../api/meta/go-text.ts';
import {isFields, type Fields} from '../../api/meta/fields.ts';

interface Struct {
  readonly type: 'struct';
  readonly go: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, Shape>>;
}

/** A type as Go knows it. */
type Shape =
  | {readonly type: 'string' | 'bool' | 'int' | 'any'; readonly go: string}
  | {readonly type: 'list'; readonly go: string; readonly items: Shape}
  | {readonly type: 'map'; readonly go: string; readonly values: Shape}
  | Struct;

const text: Shape = {type: 'string', go: 'string'};
const flag: Shape = {type: 'bool', go: 'bool'};
const number: Shape = {type: 'int', go: 'int64'};
const any: Shape = {type: 'any', go: ''};
const texts = list(text);
const map: Shape = {type: 'map', go: 'map[string]string', values: text};

function list(items: Shape): Shape {
  return {type: 'list', go: `[]${items.go}`, items};
}

function struct(name: string, fields: Readonly<Record<string, Shape>>): Shape {
  return {type: 'struct', go: `types.${name}`, name, fields};
}

const options = struct('GeneratorOptions', {labels: map, annotations: map, disableNameSuffixHash: flag, immutable: flag});
const gvk = {group: text, version: text, kind: text};
const selector = struct('Selector', {...gvk, name: text, namespace: text, annotationSelector: text, labelSelector: text});
const fieldSpec = struct('FieldSpec', {...gvk, path: text, create: flag});
const generator = {name: text, namespace: text, behavior: text, literals: texts, files: texts, envs: texts, env: text, options};
const patch = struct('Patch', {
  path: text,
  patch: text,
  target: selector,
  options: {type: 'map', go: 'map[string]bool', values: flag},
});
const source = struct('SourceSelector', {
  ...gvk,
  name: text,
  namespace: text,
  fieldPath: text,
  options: struct('FieldOptions', {delimiter: text, index: {type: 'int', go: 'int'}, encoding: text, create: flag}),
});
const target = struct('TargetSelector', {
  select: selector,
  reject: list(selector),
  fieldPaths: texts,
  options: struct('FieldOptions', {delimiter: text, index: {type: 'int', go: 'int'}, encoding: text, create: flag}),
});

const KUSTOMIZATION: Shape = struct('Kustomization', {
  apiVersion: text,
  kind: text,
  metadata: any,
  openapi: map,
  namePrefix: text,
  nameSuffix: text,
  namespace: text,
  commonLabels: map,
  labels: list(struct('Label', {pairs: map, includeSelectors: flag, includeTemplates: flag, fields: list(fieldSpec)})),
  commonAnnotations: map,
  patchesStrategicMerge: texts,
  patchesJson6902: list(patch),
  patches: list(patch),
  images: list(struct('Image', {name: text, newName: text, tagSuffix: text, newTag: text, digest: text})),
  imageTags: list(struct('Image', {name: text, newName: text, tagSuffix: text, newTag: text, digest: text})),
  replacements: list(struct('ReplacementField', {path: text, source, targets: list(target)})),
  replicas: list(struct('Replica', {name: text, count: number})),
  vars: list(any),
  sortOptions: struct('SortOptions', {
    order: text,
    legacySortOptions: struct('LegacySortOptions', {orderFirst: texts, orderLast: texts}),
  }),
  resources: texts,
  components: texts,
  crds: texts,
  bases: texts,
  configMapGenerator: list(struct('ConfigMapArgs', generator)),
  secretGenerator: list(struct('SecretArgs', {...generator, type: text})),
  helmGlobals: any,
  helmCharts: list(any),
  helmChartInflationGenerator: list(any),
  generatorOptions: options,
  configurations: texts,
  generators: texts,
  transformers: texts,
  validators: texts,
  buildMetadata: texts,
});

/** Fields that Go finds in a struct within the struct. */
const EMBEDDED: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  ConfigMapArgs: ['GeneratorArgs', ['name', 'namespace', 'behavior', 'literals', 'files', 'envs', 'env', 'options']],
  SecretArgs: ['GeneratorArgs', ['name', 'namespace', 'behavior', 'literals', 'files', 'envs', 'env', 'options']],
};

/** What is wrong with a kustomization; undefined where nothing is. */
export function shapeProblem(value: Fields): string | undefined {
  return problem(value, KUSTOMIZATION, {owner: 'Kustomization', path: []});
}

interface Place {
  readonly owner: string;
  readonly path: readonly string[];
}

function problem(value: unknown, shape: Shape, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (shape.type) {
    case 'any':
      return undefined;
    case 'string':
      return typeof value === 'string' ? undefined : mismatch(value, shape, place);
    case 'bool':
      return typeof value === 'boolean' ? undefined : mismatch(value, shape, place);
    case 'int':
      return typeof value === 'number' && Number.isInteger(value) ? undefined : mismatch(value, shape, place);
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, shape, place);
      return first(value as readonly unknown[], item => problem(item, shape.items, place));
    case 'map':
      if (!isFields(value)) return mismatch(value, shape, place);
      return first(Object.values(value), item => problem(item, shape.values, place));
    case 'struct':
      if (!isFields(value)) return mismatch(value, shape, place);
      return first(Object.keys(value).toSorted(), key => fieldProblem(value, key, shape, place));
  }
}

function fieldProblem(value: Fields, key: string, shape: Struct, place: Place): string | undefined {
  const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
  if (!field) return `json: unknown field ${JSON.stringify(key)}`;
  const [embedded, names] = EMBEDDED[shape.name] ?? ['', []];
  const path = [...place.path, ...(names.includes(key) ? [embedded] : []), key];
  return problem(value[key], field, {owner: shape.name, path});
}

function mismatch(value: unknown, shape: Shape, {owner, path}: Place): string {
  return `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${owner}.${path.join('.')} of type ${shape.go}`;
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
