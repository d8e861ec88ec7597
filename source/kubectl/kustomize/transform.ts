// What a kustomization does to all its objects: names, namespace, labels, annotations, images, replicas.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {changeAt, setAt, type FieldSpec} from './field-paths.ts';
import {ANNOTATIONS, FIXED_NAMES, METADATA_LABELS, SCALED, SELECTORS, TEMPLATE_LABELS} from './field-tables.ts';
import type {ImageChange, Kustomization, LabelPairs} from './kustomization.ts';
import {Refused} from './refused.ts';
import {gvkText, isClusterScoped, sameId, type Resources} from './resource.ts';

/** Sets the namespace of what has one, and the name of a Namespace. */
export function setNamespace(resources: Resources, namespace: string | undefined): void {
  if (namespace === undefined || namespace === '') return;
  for (const resource of resources.all) {
    const {object, id} = resource;
    if (id.kind === 'Namespace' && id.group === '') resource.rename(withMetadata(object, {name: namespace}));
    else if (!isClusterScoped(id)) resource.rename(withMetadata(object, {namespace}));
    if (id.kind === 'RoleBinding' || id.kind === 'ClusterRoleBinding')
      resource.object = setAt(resource.object, ['subjects'], false, subjects => moveDefault(subjects, namespace)) as Fields;
    if (id.kind === 'APIService')
      resource.object = setAt(resource.object, ['spec', 'service', 'namespace'], false, () => namespace) as Fields;
  }
  for (const [i, resource] of resources.all.entries())
    if (resources.all.findIndex(other => sameId(other.id, resource.id)) !== i)
      throw new Refused(`namespace transformation produces ID conflict: [${JSON.stringify(resource.object)}]`);
}

/** The account that every namespace has is meant in the new one. */
function moveDefault(subjects: unknown, namespace: string): unknown {
  if (!Array.isArray(subjects)) return subjects;
  return (subjects as unknown[]).map(subject =>
    isFields(subject) && subject['kind'] === 'ServiceAccount' && subject['name'] === 'default'
      ? {...subject, namespace}
      : subject,
  );
}

function withMetadata(object: Fields, change: Fields): Fields {
  const {metadata} = object;
  return {...object, metadata: {...(isFields(metadata) ? metadata : {}), ...change}};
}

/** Puts words before and after all names. */
export function affixNames(resources: Resources, prefix = '', suffix = ''): void {
  for (const resource of resources.all) {
    if (FIXED_NAMES.includes(resource.id.kind)) continue;
    if (prefix !== '') {
      resource.rename(withMetadata(resource.object, {name: `${prefix}${resource.name}`}));
      resource.prefixes.push(prefix);
    }
    if (suffix !== '') {
      resource.rename(withMetadata(resource.object, {name: `${resource.name}${suffix}`}));
      resource.suffixes.push(suffix);
    }
  }
}

type Words = Readonly<Record<string, string>>;

function addWords(resources: Resources, words: Words, specs: readonly FieldSpec[]): void {
  if (Object.keys(words).length === 0) return;
  for (const resource of resources.all)
    resource.object = changeAt(resource.object, resource.id, specs, old => ({...(isFields(old) ? old : {}), ...words}));
}

/** Labels: in the metadata alone, or also in templates, or also in selectors. */
export function addLabels(resources: Resources, {labels = [], commonLabels = {}}: Kustomization): void {
  for (const pairs of labels) addWords(resources, pairs.pairs ?? {}, labelPlaces(pairs));
  addWords(resources, commonLabels, [...METADATA_LABELS, ...TEMPLATE_LABELS, ...SELECTORS]);
}

function labelPlaces({includeSelectors, includeTemplates, fields = []}: LabelPairs): readonly FieldSpec[] {
  if (includeSelectors) return [...METADATA_LABELS, ...TEMPLATE_LABELS, ...SELECTORS, ...fields];
  return includeTemplates ? [...METADATA_LABELS, ...TEMPLATE_LABELS, ...fields] : [...METADATA_LABELS, ...fields];
}

export function addAnnotations(resources: Resources, {commonAnnotations = {}}: Kustomization): void {
  addWords(resources, commonAnnotations, ANNOTATIONS);
}

/** Sets the number of replicas of workloads by their names, old ones too. */
export function setReplicas(resources: Resources, {replicas = []}: Kustomization): void {
  for (const {name, count} of replicas) {
    const scaled = resources.all.filter(
      ({id, names}) => SCALED.some(({kind}) => kind === id.kind) && names.some(one => one.name === name),
    );
    if (scaled.length === 0) {
      const kinds = SCALED.map(({kind}) => gvkText({group: '', version: '', kind}));
      throw new Refused(`resource with name ${name} does not match a config with the following GVK [${kinds.join(' ')}]`);
    }
    for (const resource of scaled) resource.object = setAt(resource.object, ['spec', 'replicas'], true, () => count) as Fields;
  }
}

/** Gives containers other images. */
export function setImages(resources: Resources, {images = []}: Kustomization): void {
  for (const change of images)
    for (const resource of resources.all)
      if (resource.id.kind !== 'CustomResourceDefinition') {
        const found = withImages(resource.object, change) as Fields;
        resource.object = changeAt(found, resource.id, IMAGES, image => renamed(image, change));
      }
}

/** Places that are looked at once more, so that a suffix comes twice. */
const IMAGES: readonly FieldSpec[] = ['spec', 'spec/template/spec'].flatMap(path => [
  {path: `${path}/containers/image`},
  {path: `${path}/initContainers/image`},
  {path: `${path}/volumes/image/reference`},
]);

/** Containers are found wherever they stand. */
function withImages(value: unknown, change: ImageChange): unknown {
  if (Array.isArray(value)) return value.map(item => withImages(item, change));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => {
      const changed = withImages(inside, change);
      if ((key !== 'containers' && key !== 'initContainers') || !Array.isArray(changed)) return [key, changed];
      return [key, (changed as unknown[]).map(container => setAt(container, ['image'], false, image => renamed(image, change)))];
    }),
  );
}

function renamed(image: unknown, {name, newName = '', newTag = '', tagSuffix = '', digest = ''}: ImageChange): unknown {
  if (typeof image !== 'string' || !isNamed(image, name)) return image;
  const parts = splitImage(image);
  const tagged =
    newTag !== '' || digest !== ''
      ? {tag: newTag, digest}
      : tagSuffix !== ''
        ? {tag: `${parts.tag}${tagSuffix}`, digest: ''}
        : parts;
  return `${newName || parts.name}${tagged.tag === '' ? '' : `:${tagged.tag}`}${tagged.digest === '' ? '' : `@${tagged.digest}`}`;
}

function isNamed(image: string, name: string): boolean {
  const rest = image.startsWith(name) ? image.slice(name.length) : undefined;
  return rest !== undefined && /^(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$/.test(rest);
}

function splitImage(image: string): {name: string; tag: string; digest: string} {
  const [whole = '', digest = ''] = image.split('@');
  const colon = whole.indexOf(':', whole.lastIndexOf('/') + 1);
  return colon < 0 ? {name: whole, tag: '', digest} : {name: whole.slice(0, colon), tag: whole.slice(colon + 1), digest};
}
