// The volumes of a pod: one source each, good names, paths that stay where they belong.
import type {DownwardAPIVolumeFile, KeyToPath, ProjectedVolumeSource, Volume, VolumeProjection} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, required} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {compareQuantities} from '../meta/quantity.ts';
import {claimTemplate} from './claims.ts';
import {driverName} from './csi-driver-name.ts';
import {fieldSelector, resourceSelector} from './env.ts';
import {ownPath} from './paths.ts';
import {type Errors, requiredOneOf, sentences} from './rules.ts';
import {isShared, sharedSource, sourceField, surplusField} from './volume-sources.ts';

const DOWNWARD_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive';

/** The sources that have rules, in the order in which they are looked at. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const;

/** The good volumes of a pod, by name: those that may be mounted. */
export type Volumes = ReadonlyMap<string, Volume>;

interface Place {
  readonly path: FieldPath;
  /** The name of the pod, when it is one and no template. */
  readonly pod: string | undefined;
}

/** All volumes; gives the good ones. */
export function volumes(list: readonly Volume[] | undefined, {path, pod}: Place, errors: Errors): Volumes {
  const good = new Map<string, Volume>();
  const made = new Set(list?.flatMap(({name, ephemeral}) => (pod && ephemeral ? [`${pod}-${name}`] : [])));
  list?.forEach((volume, i) => {
    const found: Errors = [];
    const at = path.index(i);
    volumeSource(volume, {path: at, pod}, found);
    if (!volume.name) found.push(required(at.child('name')));
    else sentences(checkLabel(volume.name), {path: at.child('name'), value: volume.name}, found);
    if (good.has(volume.name)) found.push(duplicate(at.child('name'), volume.name));
    if (found.length === 0) good.set(volume.name, volume);
    for (const error of found) errors.push(error);
    const claim = volume.persistentVolumeClaim?.claimName ?? '';
    if (!made.has(claim)) return;
    const text = 'must not reference a PVC that gets created for an ephemeral volume';
    errors.push(invalid(at.child('persistentVolumeClaim', 'claimName'), claim, text));
  });
  return good;
}

function volumeSource(volume: Volume, {path, pod}: Place, errors: Errors): void {
  const [first, ...more] = SOURCES.filter(source => volume[source] !== undefined);
  if (first === undefined) errors.push(required(path, 'must specify a volume type'));
  else oneSource(first, volume, {path, pod}, errors);
  for (const source of more)
    errors.push(forbiddenField(path.child(surplusField(source)), 'may not specify more than 1 volume type'));
}

function oneSource(name: (typeof SOURCES)[number], volume: Volume, {path, pod}: Place, errors: Errors): void {
  const source = volume[name];
  const at = path.child(sourceField(name));
  const named = {path: path.child('name'), name: volume.name};
  if (source && isShared(name)) sharedSource(name, source, {path: at, named, persistent: false}, errors);
  else if (name in RULES) RULES[name as OwnSource](volume, {path: at, pod}, errors);
  if (name !== 'ephemeral' || !pod || !volume.name) return;
  const claim = `${pod}-${volume.name}`;
  const texts = checkSubdomain(claim).map(text => `PVC name ${JSON.stringify(claim)}: ${text}`);
  sentences(texts, {path: named.path, value: volume.name}, errors);
}

type OwnSource = keyof typeof RULES;
type Rule = (volume: Volume, at: Place, errors: Errors) => void;

const RULES = {
  emptyDir: (({emptyDir}, {path}, errors) => {
    if (emptyDir?.sizeLimit === undefined || compareQuantities(emptyDir.sizeLimit, '0') >= 0) return;
    errors.push(forbiddenField(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
  }) as Rule,
  secret: (({secret}, {path}, errors) => {
    if (!secret?.secretName) errors.push(required(path.child('secretName')));
    mode(secret?.defaultMode, path.child('defaultMode'), errors);
    secret?.items?.forEach((item, i) => keyToPath(item, path.child('items').index(i), errors));
  }) as Rule,
  persistentVolumeClaim: (({persistentVolumeClaim}, {path}, errors) => {
    if (!persistentVolumeClaim?.claimName) errors.push(required(path.child('claimName')));
  }) as Rule,
  downwardAPI: (({downwardAPI}, {path}, errors) => {
    mode(downwardAPI?.defaultMode, path.child('defaultMode'), errors);
    for (const file of downwardAPI?.items ?? []) downwardFile(file, path, errors);
  }) as Rule,
  configMap: (({configMap}, {path}, errors) => {
    if (!configMap?.name) errors.push(required(path.child('name')));
    mode(configMap?.defaultMode, path.child('defaultMode'), errors);
    configMap?.items?.forEach((item, i) => keyToPath(item, path.child('items').index(i), errors));
  }) as Rule,
  projected: (({projected}, {path}, errors) => {
    mode(projected?.defaultMode, path.child('defaultMode'), errors);
    if (projected) projections(projected, path, errors);
  }) as Rule,
  csi: (({csi}, {path}, errors) => {
    driverName(csi?.driver, path.child('driver'), errors);
    const secret = csi?.nodePublishSecretRef;
    if (!secret) return;
    if (!secret.name) errors.push(required(path.child('nodePublishSecretRef', 'name')));
    else sentences(checkSubdomain(secret.name), {path: path.child('name'), value: secret.name}, errors);
  }) as Rule,
  ephemeral: (({ephemeral}, {path}, errors) => {
    const template = path.child('volumeClaimTemplate');
    if (!ephemeral?.volumeClaimTemplate) errors.push(required(template));
    else claimTemplate(ephemeral.volumeClaimTemplate, template, errors);
  }) as Rule,
  image: (({image}, {path, pod}, errors) => {
    if (!image?.reference && pod !== undefined) errors.push(required(path.child('reference')));
    requiredOneOf(image?.pullPolicy, {path: path.child('pullPolicy'), of: ['Always', 'IfNotPresent', 'Never']}, errors);
  }) as Rule,
};

function mode(bits: number | undefined, path: FieldPath, errors: Errors): void {
  if (bits !== undefined && (bits < 0 || bits > 0o777)) errors.push(invalid(path, bits, MODE_TEXT));
}

function keyToPath(item: KeyToPath, path: FieldPath, errors: Errors): void {
  if (!item.key) errors.push(required(path.child('key')));
  if (!item.path) errors.push(required(path.child('path')));
  else ownPath(item.path, path.child('path'), errors);
  mode(item.mode, path.child('mode'), errors);
}

function downwardFile(file: DownwardAPIVolumeFile, path: FieldPath, errors: Errors): void {
  if (!file.path) errors.push(required(path.child('path')));
  else ownPath(file.path, path.child('path'), errors);
  if (file.fieldRef) {
    fieldSelector(file.fieldRef, {path: path.child('fieldRef'), fields: DOWNWARD_FIELDS}, errors);
    if (file.resourceFieldRef)
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef)
    resourceSelector(file.resourceFieldRef, {path: path.child('resourceFieldRef'), volume: true}, errors);
  else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  mode(file.mode, path.child('mode'), errors);
}

const PROJECTIONS = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

/** Where a projection stands, where its volume does, and the files that are taken already. */
interface ProjectionPlace {
  readonly volume: FieldPath;
  readonly path: FieldPath;
  readonly take: (file: string, owner: string) => void;
}

function projections({sources}: ProjectedVolumeSource, volume: FieldPath, errors: Errors): void {
  const taken = new Set<string>();
  const take = (file: string, owner: string) => {
    if (file && taken.has(file)) errors.push(invalid(volume, owner, 'conflicting duplicate paths'));
    taken.add(file);
  };
  sources?.forEach((projection, i) => {
    const path = volume.child('sources').index(i);
    const given = PROJECTIONS.filter(kind => projection[kind] !== undefined);
    namedProjections(projection, {volume, path, take}, errors);
    tokenProjection(projection, {volume, path, take}, errors);
    if (given.length > 1) errors.push(forbiddenField(path, 'may not specify more than 1 volume type per source'));
  });
}

function namedProjections(projection: VolumeProjection, {path, take}: ProjectionPlace, errors: Errors): void {
  for (const kind of ['secret', 'configMap'] as const) {
    const named = projection[kind];
    if (!named) continue;
    const at = path.child(kind);
    if (!named.name) errors.push(required(at.child('name')));
    named.items?.forEach((item, i) => {
      keyToPath(item, at.child('items').index(i), errors);
      take(item.path, named.name ?? '');
    });
  }
  for (const file of projection.downwardAPI?.items ?? []) {
    downwardFile(file, path.child('downwardAPI'), errors);
    take(file.path, file.path);
  }
}

function tokenProjection({serviceAccountToken: token}: VolumeProjection, at: ProjectionPlace, errors: Errors): void {
  if (!token) return;
  const path = at.path.child('serviceAccountToken', 'expirationSeconds');
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < 600) errors.push(invalid(path, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32) errors.push(invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds'));
  // The server names the volume's path, not the projection's.
  if (!token.path) errors.push(required(at.volume.child('path')));
  else ownPath(token.path, at.volume.child('path'), errors);
}
