// A kustomization as its file says it, with fields of old in the place of their followers.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Folder} from './disk.ts';
import type {FieldSpec} from './field-paths.ts';
import {Refused} from './refused.ts';
import {shapeProblem} from './shape.ts';

export interface GeneratorOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface GeneratorArgs {
  readonly name?: string;
  readonly namespace?: string;
  readonly behavior?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly type?: string;
  readonly options?: GeneratorOptions;
}

export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

export interface Patch {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Selector;
  readonly options?: {readonly allowNameChange?: boolean; readonly allowKindChange?: boolean};
}

export interface ImageChange {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly tagSuffix?: string;
  readonly digest?: string;
}

export interface FieldOptions {
  readonly delimiter?: string;
  readonly index?: number;
  readonly create?: boolean;
}

export interface Replacement {
  readonly path?: string;
  readonly source?: Selector & {readonly fieldPath?: string; readonly options?: FieldOptions};
  readonly targets?: readonly {
    readonly select?: Selector;
    readonly reject?: readonly Selector[];
    readonly fieldPaths?: readonly string[];
    readonly options?: FieldOptions;
  }[];
}

export interface LabelPairs {
  readonly pairs?: Readonly<Record<string, string>>;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly fields?: readonly FieldSpec[];
}

export interface Kustomization {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: Readonly<Record<string, string>>;
  readonly labels?: readonly LabelPairs[];
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  readonly patchesStrategicMerge?: readonly string[];
  readonly patchesJson6902?: readonly Patch[];
  readonly patches?: readonly Patch[];
  readonly images?: readonly ImageChange[];
  readonly replacements?: readonly Replacement[];
  readonly replicas?: readonly {readonly name: string; readonly count: number}[];
  readonly sortOptions?: {
    readonly order?: string;
    readonly legacySortOptions?: {readonly orderFirst?: readonly string[]; readonly orderLast?: readonly string[]};
  };
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly crds?: readonly string[];
  readonly configMapGenerator?: readonly GeneratorArgs[];
  readonly secretGenerator?: readonly GeneratorArgs[];
  readonly generatorOptions?: GeneratorOptions;
  readonly transformers?: readonly string[];
  readonly generators?: readonly string[];
  readonly buildMetadata?: readonly string[];
}

/** Fields that a newer one has followed, and the word for it. */
const DEPRECATED: readonly (readonly [field: string, follower: string, mark: string])[] = [
  ['bases', 'resources', ''],
  ['patchesJson6902', 'patches', ''],
  ['patchesStrategicMerge', 'patches', ''],
  ['commonLabels', 'labels', ''],
  ['vars', 'replacements', '[EXPERIMENTAL] '],
];
const UNSUPPORTED = ['vars', 'configurations', 'validators', 'openapi'];

export interface Read {
  readonly kustomization: Kustomization;
  readonly warnings: readonly string[];
}

/** Reads the kustomization of a folder. */
export function readKustomization(folder: Folder): Read {
  const {documents, error} = readYaml(folder.kustomization());
  if (error) throw new Refused(`invalid Kustomization: ${error.message.replace(/^error converting YAML to JSON: /, '')}`);
  const value = documents[0]?.value ?? {};
  if (!isFields(value))
    throw new Refused('invalid Kustomization: json: cannot unmarshal string into Go value of type types.Kustomization');
  const problem = shapeProblem(value);
  if (problem !== undefined) throw new Refused(`invalid Kustomization: ${problem}`);
  if (Object.values(value).every(isNothing)) throw new Refused('kustomization.yaml is empty');
  checkKind(value, folder);
  const undone = UNSUPPORTED.find(name => !isNothing(value[name]));
  if (undone !== undefined) throw new Refused(`this kubectl does not do "${undone}" of a kustomization yet`);
  const [chart] = Array.isArray(value['helmCharts']) ? (value['helmCharts'] as readonly unknown[]) : [];
  if (chart !== undefined)
    throw new Refused(
      `trouble configuring builtin HelmChartInflationGenerator with config: \`\n${printYaml(chart)}\`: must specify --enable-helm`,
    );
  const warnings = DEPRECATED.filter(([name]) => !isNothing(value[name])).map(
    ([name, follower, mark]) =>
      `# Warning: '${name}' is deprecated. Please use '${follower}' instead. ${mark}Run 'kustomize edit fix' to update your Kustomization automatically.\n`,
  );
  return {kustomization: renewed(value), warnings};
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return isFields(value) && Object.keys(value).length === 0;
}

function checkKind({kind, apiVersion}: Fields, {path}: Folder): void {
  const problems: string[] = [];
  const isComponent = kind === 'Component';
  if (kind !== undefined && kind !== 'Kustomization' && !isComponent) problems.push('kind should be Kustomization or Component');
  const wanted = `kustomize.config.k8s.io/${isComponent ? 'v1alpha1' : 'v1beta1'}`;
  if (apiVersion !== undefined && apiVersion !== wanted)
    problems.push(`apiVersion for ${isComponent ? 'Component' : 'Kustomization'} should be ${wanted}`);
  if (problems.length > 0) throw new Refused(`Failed to read kustomization file under ${path}:\n${problems.join('\n')}`);
}

/** Old fields become new ones. */
function renewed(value: Fields): Kustomization {
  const {bases, imageTags, ...rest} = value as Fields & {bases?: readonly string[]; imageTags?: readonly ImageChange[]};
  const known = rest as Kustomization;
  return {
    ...known,
    ...(bases ? {resources: [...(known.resources ?? []), ...bases]} : {}),
    ...(imageTags ? {images: [...(known.images ?? []), ...imageTags]} : {}),
  };
}
