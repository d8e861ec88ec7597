// The volumes of a pod or of a template: what each is made from.
import type {
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  LocalVolumeSource,
  PersistentVolumeClaimTemplate,
  ProjectedVolumeSource,
  Volume,
} from '../../api/kinds/core-v1.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import type {Lines} from './lines.ts';
import {addAnnotations, addLabels, sortedEntries} from './maps.ts';

/** A long attribute is cut after so many letters. */
const MOST_LETTERS = 140;

/** The sources of a pod's volume and of a persistent one, each with what only it has. */
type Source = Omit<Partial<Volume>, 'name' | 'csi'> & {
  readonly local?: LocalVolumeSource;
  readonly csi?: Partial<CSIPersistentVolumeSource> & Pick<CSIVolumeSource, 'driver'>;
};

type Rows = readonly (readonly [string, string | number | boolean | undefined])[];

/** Writes the volumes. */
export function addVolumes(lines: Lines, volumes: readonly Volume[] | undefined, indent = ''): void {
  if (!volumes || volumes.length === 0) {
    lines.add(0, `${indent}Volumes:\t<none>`);
    return;
  }
  lines.add(0, `${indent}Volumes:`);
  for (const volume of volumes) {
    lines.add(1, `${indent === '' ? '' : ' '}${volume.name}:`);
    addSource(lines, volume);
  }
}

/** Writes what a volume is made from. */
export function addSource(lines: Lines, volume: Source): void {
  if (volume.downwardAPI) addDownward(lines, volume.downwardAPI);
  else for (const [name, value] of rowsOf(volume)) lines.add(2, `${name}:\t${value ?? ''}`);
  if (volume.csi) addAttributes(lines, volume.csi.volumeAttributes);
  if (volume.ephemeral) addEphemeral(lines, volume.ephemeral.volumeClaimTemplate);
}

function addAttributes(lines: Lines, attributes: Readonly<Record<string, string>> | undefined): void {
  const entries = sortedEntries(attributes);
  if (entries.length === 0) lines.add(2, 'VolumeAttributes:\t<none>');
  for (const [index, [key, value]] of entries.entries())
    lines.raw(
      `${index === 0 ? '    VolumeAttributes:\t' : '\t'}    ${key}=${value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}...` : value}\n`,
    );
}

function addEphemeral(lines: Lines, template: PersistentVolumeClaimTemplate | undefined): void {
  if (!template) return;
  lines.add(2, `StorageClass:\t${template.spec.storageClassName ?? ''}`);
  lines.add(2, 'Volume:\t');
  addLabels(lines, 'Labels', template.metadata?.labels, '    ');
  addAnnotations(lines, 'Annotations', template.metadata?.annotations, '    ');
  lines.add(2, 'Capacity:\t');
  lines.add(2, 'Access Modes:\t');
}

function rowsOf(volume: Source): Rows {
  return rowsOfCluster(volume) ?? rowsOfStorage(volume) ?? [['<unknown>', undefined]];
}

/** Volumes that the node and the API server fill. */
function rowsOfCluster({
  hostPath,
  emptyDir,
  secret,
  configMap,
  persistentVolumeClaim: claim,
  projected,
}: Source): Rows | undefined {
  if (hostPath)
    return [
      ['Type', 'HostPath (bare host directory volume)'],
      ['Path', hostPath.path],
      ['HostPathType', hostPath.type ?? ''],
    ];
  if (emptyDir) {
    const limit = emptyDir.sizeLimit === undefined ? '<unset>' : canonicalQuantity(emptyDir.sizeLimit);
    return [
      ['Type', "EmptyDir (a temporary directory that shares a pod's lifetime)"],
      ['Medium', emptyDir.medium ?? ''],
      ['SizeLimit', limit],
    ];
  }
  if (secret)
    return [
      ['Type', 'Secret (a volume populated by a Secret)'],
      ['SecretName', secret.secretName],
      ['Optional', secret.optional ?? false],
    ];
  if (configMap)
    return [
      ['Type', 'ConfigMap (a volume populated by a ConfigMap)'],
      ['Name', configMap.name],
      ['Optional', configMap.optional ?? false],
    ];
  if (claim) {
    const type = 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)';
    return [
      ['Type', type],
      ['ClaimName', claim.claimName],
      ['ReadOnly', claim.readOnly ?? false],
    ];
  }
  if (projected) return projectedRows(projected);
  return undefined;
}

/** Volumes that storage, a registry or a claim of their own fills. */
function rowsOfStorage({nfs, csi, image, ephemeral, local}: Source): Rows | undefined {
  if (nfs)
    return [
      ['Type', 'NFS (an NFS mount that lasts the lifetime of a pod)'],
      ['Server', nfs.server],
      ['Path', nfs.path],
      ['ReadOnly', nfs.readOnly ?? false],
    ];
  if (csi)
    return [
      ['Type', 'CSI (a Container Storage Interface (CSI) volume source)'],
      ['Driver', csi.driver],
      ['FSType', csi.fsType],
      ...(csi.volumeHandle === undefined ? [] : [['VolumeHandle', csi.volumeHandle] as const]),
      ['ReadOnly', csi.readOnly ?? false],
    ];
  if (local)
    return [
      ['Type', 'LocalVolume (a persistent volume backed by local storage on a node)'],
      ['Path', local.path],
    ];
  if (image)
    return [
      ['Type', 'Image (a container image or OCI artifact)'],
      ['Reference', image.reference],
      ['PullPolicy', image.pullPolicy],
    ];
  if (ephemeral)
    return [['Type', 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)']];
  return undefined;
}

function projectedRows(projected: ProjectedVolumeSource): Rows {
  const rows: Rows[number][] = [['Type', 'Projected (a volume that contains injected data from multiple sources)']];
  for (const source of projected.sources ?? []) {
    if (source.secret) rows.push(['SecretName', source.secret.name], ['Optional', source.secret.optional ?? false]);
    else if (source.downwardAPI) rows.push(['DownwardAPI', true]);
    else if (source.configMap)
      rows.push(['ConfigMapName', source.configMap.name], ['Optional', source.configMap.optional ?? false]);
    else if (source.serviceAccountToken) rows.push(['TokenExpirationSeconds', source.serviceAccountToken.expirationSeconds]);
  }
  return rows;
}

function addDownward(lines: Lines, {items}: DownwardAPIVolumeSource): void {
  lines.add(2, 'Type:\tDownwardAPI (a volume populated by information about the pod)');
  lines.add(2, 'Items:');
  for (const item of items ?? []) {
    lines.add(3, `${item.fieldRef?.fieldPath ?? item.resourceFieldRef?.resource ?? ''} -> ${item.path}`);
  }
}
