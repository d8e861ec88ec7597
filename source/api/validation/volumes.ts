// The volumes of a pod: one source each, good names, paths that stay where they belong.
import type {DownwardAPIVolumeFile, KeyToPath, ProjectedVolumeSource, Volume, VolumeProjection} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required} from '../meta/field-error.ts';
import {checkLabel} from '../meta/names.ts';
import {compareQuantities} from '../meta/quantity.ts';
import {claimSpec} from './claims.ts';
import {fieldSelector, resourceSelector} from './env.ts';
import {type Errors, requiredOneOf, sentences} from './rules.ts';

export const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
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

/** All volumes; gives the names of the good ones, which may be mounted. */
export function volumes(list: readonly Volume[] | undefined, path: FieldPath, errors: Errors): ReadonlySet<string> {
  const good = new Set<string>();
  list?.forEach((volume, i) => {
    const found: Errors = [];
    const at = path.index(i);
    volumeSource(volume, at, found);
    if (!volume.name) found.push(required(at.child('name')));
    else sentences(checkLabel(volume.name), {path: at.child('name'), value: volume.name}, found);
    if (good.has(volume.name)) found.push(duplicate(at.child('name'), volume.name));
    if (found.length === 0) good.add(volume.name);
    errors.push(...found);
  });
  return good;
}

function volumeSource(volume: Volume, path: FieldPath, errors: Errors): void {
  const [first, ...more] = SOURCES.filter(source => volume[source] !== undefined);
  if (first === undefined) errors.push(required(path, 'must specify a volume type'));
  else RULES[first]?.(volume, path.child(first), errors);
  for (const source of more) errors.push(forbiddenField(path.child(source), 'may not specify more than 1 volume type'));
}

type Rule = (volume: Volume, path: FieldPath, errors: Errors) => void;

const RULES: Readonly<Partial<Record<(typeof SOURCES)[number], Rule>>> = {
  emptyDir: ({emptyDir}, path, errors) => {
    if (emptyDir?.sizeLimit === undefined || compareQuantities(emptyDir.sizeLimit, '0') >= 0) return;
    errors.push(forbiddenField(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
  },
  hostPath: ({hostPath}, path, errors) => {
    if (!hostPath?.path) errors.push(required(path.child('path')));
    else noBackSteps(hostPath.path, path.child('path'), errors);
    const type = hostPath?.type ?? '';
    if (!HOST_PATH_TYPES.includes(type)) errors.push(notSupported(path.child('type'), type, HOST_PATH_TYPES));
  },
  secret: ({secret}, path, errors) => {
    if (!secret?.secretName) errors.push(required(path.child('secretName')));
    mode(secret?.defaultMode, path.child('defaultMode'), errors);
    secret?.items?.forEach((item, i) => keyToPath(item, path.child('items').index(i), errors));
  },
  nfs: ({nfs}, path, errors) => {
    if (!nfs?.server) errors.push(required(path.child('server')));
    if (!nfs?.path) errors.push(required(path.child('path')));
    if (!nfs?.path.startsWith('/')) errors.push(invalid(path.child('path'), nfs?.path ?? '', 'must be an absolute path'));
  },
  persistentVolumeClaim: ({persistentVolumeClaim}, path, errors) => {
    if (!persistentVolumeClaim?.claimName) errors.push(required(path.child('claimName')));
  },
  downwardAPI: ({downwardAPI}, path, errors) => {
    mode(downwardAPI?.defaultMode, path.child('defaultMode'), errors);
    for (const file of downwardAPI?.items ?? []) downwardFile(file, path, errors);
  },
  configMap: ({configMap}, path, errors) => {
    if (!configMap?.name) errors.push(required(path.child('name')));
    mode(configMap?.defaultMode, path.child('defaultMode'), errors);
    configMap?.items?.forEach((item, i) => keyToPath(item, path.child('items').index(i), errors));
  },
  projected: ({projected}, path, errors) => {
    mode(projected?.defaultMode, path.child('defaultMode'), errors);
    if (projected) projections(projected, path, errors);
  },
  csi: ({csi}, path, errors) => {
    if (!csi?.driver) errors.push(required(path.child('driver')));
  },
  ephemeral: ({ephemeral}, path, errors) => {
    const template = path.child('volumeClaimTemplate');
    if (!ephemeral?.volumeClaimTemplate) errors.push(required(template));
    else claimSpec(ephemeral.volumeClaimTemplate.spec, template.child('spec'), errors);
  },
  image: ({image}, path, errors) => {
    if (!image?.reference) errors.push(required(path.child('reference')));
    requiredOneOf(image?.pullPolicy, {path: path.child('pullPolicy'), of: ['Always', 'IfNotPresent', 'Never']}, errors);
  },
};

function mode(bits: number | undefined, path: FieldPath, errors: Errors): void {
  if (bits !== undefined && (bits < 0 || bits > 0o777)) errors.push(invalid(path, bits, MODE_TEXT));
}

/** No `..` as a part of a path. */
export function noBackSteps(path: string, at: FieldPath, errors: Errors): void {
  if (path.split('/').includes('..')) errors.push(invalid(at, path, "must not contain '..'"));
}

/** A path that stays below where it begins. */
export function descendingPath(path: string, at: FieldPath, errors: Errors): void {
  if (path.startsWith('/')) errors.push(invalid(at, path, 'must be a relative path'));
  noBackSteps(path, at, errors);
}

function ownPath(path: string, at: FieldPath, errors: Errors): void {
  descendingPath(path, at, errors);
  // What `..` as a part already says need not be said twice.
  if (path.startsWith('..') && !path.startsWith('../')) errors.push(invalid(at, path, "must not start with '..'"));
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

function projections(source: ProjectedVolumeSource, path: FieldPath, errors: Errors): void {
  const taken = new Set<string>();
  const take = (file: string, owner: string) => {
    if (file && taken.has(file)) errors.push(invalid(path, owner, 'conflicting duplicate paths'));
    taken.add(file);
  };
  source.sources?.forEach((projection, i) => {
    const at = path.child('sources').index(i);
    const [first, ...more] = PROJECTIONS.filter(kind => projection[kind] !== undefined);
    if (first) projectionOf(projection, {kind: first, path, at: at.child(first), take}, errors);
    for (const _ of more) errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
  });
}

interface ProjectionPlace {
  readonly kind: (typeof PROJECTIONS)[number];
  readonly path: FieldPath;
  readonly at: FieldPath;
  readonly take: (file: string, owner: string) => void;
}

function projectionOf(projection: VolumeProjection, {kind, path, at, take}: ProjectionPlace, errors: Errors): void {
  const {secret, configMap, downwardAPI, serviceAccountToken} = projection;
  const named = kind === 'secret' ? secret : kind === 'configMap' ? configMap : undefined;
  if (named) {
    if (!named.name) errors.push(required(at.child('name')));
    named.items?.forEach((item, i) => {
      keyToPath(item, at.child('items').index(i), errors);
      take(item.path, named.name ?? '');
    });
  }
  if (kind === 'downwardAPI') {
    for (const file of downwardAPI?.items ?? []) {
      downwardFile(file, at, errors);
      take(file.path, 'downwardAPI');
    }
  }
  if (kind !== 'serviceAccountToken' || !serviceAccountToken) return;
  const seconds = serviceAccountToken.expirationSeconds ?? 0;
  if (seconds < 600)
    errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32)
    errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (!serviceAccountToken.path) errors.push(required(path.child('path')));
  else ownPath(serviceAccountToken.path, path.child('path'), errors);
}
