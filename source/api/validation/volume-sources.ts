// The sources of storage that a pod may name itself and that a PersistentVolume may stand for: both fulfil the same rules,
// and a volume of the cluster a few more, as its secrets may lie in any namespace.
import type * as core from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required} from '../meta/field-error.ts';
import {checkLabel, rangeText} from '../meta/names.ts';
import {descendingPath, noBackSteps} from './paths.ts';
import {type Errors, sentences} from './rules.ts';

/** Where a source stands. */
export interface SourcePlace {
  readonly path: FieldPath;
  /** The field of the volume's name, for the one source that looks at it, and the name. */
  readonly named: {readonly path: FieldPath; readonly name: string};
  /** Is it that of a PersistentVolume? */
  readonly persistent: boolean;
}

type Rule<T> = (source: T, at: SourcePlace, errors: Errors) => void;

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
const MOST_BYTE = 255;
const RESERVED_OPTIONS = 'kubernetes.io and k8s.io namespaces are reserved';
const PORT_PAIRS = 'must be a host:port pair or multiple pairs separated by commas';
const DISK_URIS = {
  managed: '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
  blob: 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
};

/** One `Required value` for each field that is missing. */
function needs(source: object, fields: readonly string[], {path, errors}: {path: FieldPath; errors: Errors}): void {
  const record = source as Readonly<Record<string, unknown>>;
  for (const field of fields) {
    const value = record[field];
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
      errors.push(required(path.child(field)));
  }
}

function withinByte(value: number | undefined, path: FieldPath, {least, errors}: {least: number; errors: Errors}): void {
  if (value !== undefined && (value < 0 || value > MOST_BYTE)) errors.push(invalid(path, value, rangeText(least, MOST_BYTE)));
}

/** The secret of a source is named; that of a cluster's volume says where it lies. */
function secretRef(
  secret: {readonly name?: string; readonly namespace?: string} | undefined,
  {path, persistent}: SourcePlace,
  errors: Errors,
): void {
  if (secret) needs(secret, persistent ? ['name', 'namespace'] : ['name'], {path: path.child('secretRef'), errors});
}

const iscsi: Rule<core.ISCSIVolumeSource | core.ISCSIPersistentVolumeSource> = (source, at, errors) => {
  const {path, persistent, named} = at;
  needs(source, ['targetPortal'], {path, errors});
  const {initiatorName} = source;
  const long = initiatorName !== undefined && `${named.name}:${source.targetPortal}`.length > 64;
  const text =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  if (long && persistent) errors.push(invalid(path.child('targetportal'), source.targetPortal, text));
  needs(source, ['iqn'], {path, errors});
  if (source.iqn) qualifiedName(source.iqn, path.child('iqn'), {persistent, errors});
  withinByte(source.lun, path.child('lun'), {least: 0, errors});
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) errors.push(required(path.child('secretRef')));
  if (persistent && source.secretRef) needs(source.secretRef, ['name'], {path: path.child('secretRef'), errors});
  if (initiatorName !== undefined) qualifiedName(initiatorName, path.child('initiatorname'), {persistent, errors});
  if (long && !persistent) errors.push(invalid(named.path, named.name, text));
};

const ISCSI_FORMS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function qualifiedName(name: string, path: FieldPath, {persistent, errors}: {persistent: boolean; errors: Errors}): void {
  const form = ISCSI_FORMS[name.slice(0, 3)];
  if (form?.test(name)) return;
  const start = form || persistent ? '' : ' starting with iqn, eui, or naa';
  errors.push(invalid(path, name, `must be valid format${start}`));
}

const fc: Rule<core.FCVolumeSource> = ({targetWWNs = [], wwids = [], lun}, {path}, errors) => {
  const at = path.child('targetWWNs');
  if (targetWWNs.length + wwids.length === 0) errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  if (targetWWNs.length === 0) return;
  if (lun === undefined) errors.push(required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  else withinByte(lun, path.child('lun'), {least: 0, errors});
};

const quobyte: Rule<core.QuobyteVolumeSource> = ({registry, tenant = '', volume}, {path}, errors) => {
  const at = path.child('registry');
  if (!registry) errors.push(required(at, PORT_PAIRS));
  else if (tenant.length >= 65)
    errors.push(required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  else for (const pair of registry.split(',')) if (!isHostAndPort(pair)) errors.push(invalid(at, registry, PORT_PAIRS));
  if (!volume) errors.push(required(path.child('volume')));
};

function isHostAndPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

const flocker: Rule<core.FlockerVolumeSource> = ({datasetName = '', datasetUUID = ''}, {path}, errors) => {
  if (!datasetName && !datasetUUID) errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName && datasetUUID)
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (datasetName.includes('/')) errors.push(invalid(path.child('datasetName'), datasetName, "must not contain '/'"));
};

const flexVolume: Rule<core.FlexVolumeSource | core.FlexPersistentVolumeSource> = (source, {path}, errors) => {
  needs(source, ['driver'], {path, errors});
  for (const key of Object.keys(source.options ?? {})) {
    const namespace = `.${key.split('/', 1)[0]?.toLowerCase() ?? ''}`;
    if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io'))
      errors.push(invalid(path.child('options').key(key), key, RESERVED_OPTIONS));
  }
};

const azureDisk: Rule<core.AzureDiskVolumeSource> = (source, {path}, errors) => {
  const {kind, cachingMode, diskURI} = source;
  needs(source, ['diskName', 'diskURI'], {path, errors});
  const modes = ['None', 'ReadOnly', 'ReadWrite'];
  if (cachingMode !== undefined && !modes.includes(cachingMode))
    errors.push(notSupported(path.child('cachingMode'), cachingMode, modes));
  const kinds = ['Dedicated', 'Managed', 'Shared'];
  if (kind === undefined) return;
  if (!kinds.includes(kind)) errors.push(notSupported(path.child('kind'), kind, kinds));
  const managed = kind === 'Managed';
  if (!diskURI.startsWith(managed ? '/subscriptions/' : 'https://'))
    errors.push(notSupported(path.child('diskURI'), diskURI, [managed ? DISK_URIS.managed : DISK_URIS.blob]));
};

const storageos: Rule<core.StorageOSVolumeSource | core.StorageOSPersistentVolumeSource> = (source, at, errors) => {
  const {path} = at;
  const {volumeName, volumeNamespace} = source;
  needs(source, ['volumeName'], {path, errors});
  if (volumeName) sentences(checkLabel(volumeName), {path: path.child('volumeName'), value: volumeName}, errors);
  if (volumeNamespace)
    sentences(checkLabel(volumeNamespace), {path: path.child('volumeNamespace'), value: volumeNamespace}, errors);
  secretRef(source.secretRef, at, errors);
};

const NOT_NAMESPACE = 'if the endpointnamespace is set, it must be a valid namespace name';

/** The rules of each source. */
const RULES = {
  hostPath: (({path: file, type = ''}, {path}, errors) => {
    if (!file) {
      errors.push(required(path.child('path')));
      return;
    }
    noBackSteps(file, path.child('path'), errors);
    if (!HOST_PATH_TYPES.includes(type)) errors.push(notSupported(path.child('type'), type, HOST_PATH_TYPES));
  }) satisfies Rule<core.HostPathVolumeSource>,
  gitRepo: (({repository, directory = ''}, {path}, errors) => {
    if (!repository) errors.push(required(path.child('repository')));
    descendingPath(directory, path.child('directory'), errors);
  }) satisfies Rule<core.GitRepoVolumeSource>,
  gcePersistentDisk: ((source, {path}, errors) => {
    needs(source, ['pdName'], {path, errors});
    withinByte(source.partition, path.child('partition'), {least: 1, errors});
  }) satisfies Rule<core.GCEPersistentDiskVolumeSource>,
  awsElasticBlockStore: ((source, {path}, errors) => {
    needs(source, ['volumeID'], {path, errors});
    withinByte(source.partition, path.child('partition'), {least: 1, errors});
  }) satisfies Rule<core.AWSElasticBlockStoreVolumeSource>,
  nfs: ((source, {path}, errors) => {
    needs(source, ['server', 'path'], {path, errors});
    if (!source.path.startsWith('/')) errors.push(invalid(path.child('path'), source.path, 'must be an absolute path'));
  }) satisfies Rule<core.NFSVolumeSource>,
  iscsi,
  glusterfs: ((source, {path, persistent}, errors) => {
    needs(source, ['endpoints', 'path'], {path, errors});
    const namespace = persistent && 'endpointsNamespace' in source ? source.endpointsNamespace : undefined;
    if (namespace === undefined) return;
    const texts = namespace === '' ? [NOT_NAMESPACE] : checkLabel(namespace);
    sentences(texts, {path: path.child('endpointsNamespace'), value: namespace}, errors);
  }) satisfies Rule<core.GlusterfsVolumeSource | core.GlusterfsPersistentVolumeSource>,
  flocker,
  rbd: ((source, {path}, errors) => needs(source, ['monitors', 'image'], {path, errors})) satisfies Rule<core.RBDVolumeSource>,
  cinder: ((source, at, errors) => {
    needs(source, ['volumeID'], {path: at.path, errors});
    secretRef(source.secretRef, at, errors);
  }) satisfies Rule<core.CinderVolumeSource | core.CinderPersistentVolumeSource>,
  cephfs: ((source, {path}, errors) => needs(source, ['monitors'], {path, errors})) satisfies Rule<core.CephFSVolumeSource>,
  quobyte,
  fc,
  flexVolume,
  azureFile: ((source, {path}, errors) => {
    needs(source, ['secretName', 'shareName'], {path, errors});
    if ('secretNamespace' in source) needs(source, ['secretNamespace'], {path, errors});
  }) satisfies Rule<core.AzureFileVolumeSource | core.AzureFilePersistentVolumeSource>,
  vsphereVolume: ((source, {path}, errors) =>
    needs(source, ['volumePath'], {path, errors})) satisfies Rule<core.VsphereVirtualDiskVolumeSource>,
  photonPersistentDisk: ((source, {path}, errors) =>
    needs(source, ['pdID'], {path, errors})) satisfies Rule<core.PhotonPersistentDiskVolumeSource>,
  portworxVolume: ((source, {path}, errors) =>
    needs(source, ['volumeID'], {path, errors})) satisfies Rule<core.PortworxVolumeSource>,
  azureDisk,
  storageos,
  scaleIO: ((source, {path}, errors) =>
    needs(source, ['gateway', 'system', 'volumeName'], {path, errors})) satisfies Rule<core.ScaleIOVolumeSource>,
  local: (({path: file}, {path}, errors) => {
    if (!file) errors.push(required(path.child('path')));
    else noBackSteps(file, path.child('path'), errors);
  }) satisfies Rule<core.LocalVolumeSource>,
};

export type SharedSource = keyof typeof RULES;

/** Is it a source that pods and cluster's volumes share? */
export function isShared(name: string): name is SharedSource {
  return name in RULES;
}

/** The field that errors name: one source is called otherwise in them, and another where it is one too many. */
export function sourceField(name: string): string {
  return name === 'gcePersistentDisk' ? 'persistentDisk' : name;
}

/** What is wrong with one shared source. */
export function sharedSource(name: SharedSource, source: object, at: SourcePlace, errors: Errors): void {
  (RULES[name] as Rule<object>)(source, at, errors);
}

const ONE_TOO_MANY: Readonly<Record<string, string>> = {cephfs: 'cephFS', downwardAPI: 'downwarAPI'};

/** The field of a source that is one too many; two of them are misspelt by the server. */
export function surplusField(name: string): string {
  return ONE_TOO_MANY[name] ?? name;
}
