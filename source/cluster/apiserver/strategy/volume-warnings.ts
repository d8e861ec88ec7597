// Warnings about volumes: kinds that are gone, files that hide each other, amounts that mean little.
import type {PersistentVolumeClaimSpec, PersistentVolumeSpec, Volume, VolumeProjection} from '../../../api/kinds/core-v1.ts';
import {canonicalQuantity, milliValue} from '../../../api/meta/quantity.ts';

const GONE = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
} as const;
const SHOWN: Readonly<Record<string, string>> = {storageos: 'storageOS'};

/** What is to be said about the kinds of a volume. */
export function goneWarnings(volume: Volume | PersistentVolumeSpec, path: string): string[] {
  const given = volume as Readonly<Record<string, unknown>>;
  return Object.entries(GONE).flatMap(([kind, text]) =>
    given[kind] === undefined ? [] : [`${path}.${SHOWN[kind] ?? kind}: ${text}`],
  );
}

/** An amount of bytes that is not whole. */
export function fraction(quantity: string | number | undefined, at: string): string[] {
  if (quantity === undefined || milliValue(quantity) % 1000 === 0) return [];
  return [`${at}: fractional byte value ${JSON.stringify(canonicalQuantity(quantity))} is invalid, must be an integer`];
}

/** What is to be said about a claim. */
export function claimWarnings(spec: PersistentVolumeClaimSpec | undefined, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap(side =>
    fraction(spec?.resources?.[side]?.['storage'], `${path}.resources.${side}[storage]`),
  );
}

/** What is to be said about the volumes of a pod. */
export function volumeWarnings(volumes: readonly Volume[] = [], path: string): string[] {
  const each = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    return [
      ...goneWarnings(volume, at),
      ...claimWarnings(volume.ephemeral?.volumeClaimTemplate?.spec, `${at}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
  return [...each, ...volumes.flatMap(hidden)];
}

interface Files {
  readonly title: string;
  readonly paths: readonly string[];
}

function pathsOf(items: readonly {readonly path: string}[] | undefined): readonly string[] {
  return items?.map(item => item.path) ?? [];
}

/** Files of a volume that hide each other. */
function hidden({name, configMap, secret, downwardAPI, projected}: Volume): string[] {
  const volume = `volume ${JSON.stringify(name)}`;
  const files: Files[] = [
    {title: `(ConfigMap ${JSON.stringify(configMap?.name ?? '')})`, paths: pathsOf(configMap?.items)},
    {title: `(Secret ${JSON.stringify(secret?.secretName ?? '')})`, paths: pathsOf(secret?.items)},
    {title: '(DownwardAPI)', paths: pathsOf(downwardAPI?.items)},
  ];
  const own = files.flatMap(({title, paths}) => overlaps(paths, `${volume} ${title}`));
  const before: string[] = [];
  for (const source of projected?.sources ?? []) {
    const found = projection(source);
    if (Object.keys(source).length === 0) own.push(`${volume} (Projected) has no sources provided`);
    if (!found || found.paths.length === 0) continue;
    const title = `${volume} (Projected ${found.title})`;
    const once = [...new Set(found.paths)];
    own.push(...overlaps(found.paths, title), ...overlaps([...once, ...before].sort(), title));
    before.push(...once.filter(path => !before.includes(path)));
  }
  return own;
}

function projection({
  configMap,
  secret,
  downwardAPI,
  serviceAccountToken,
  clusterTrustBundle,
}: VolumeProjection): Files | undefined {
  const named = (kind: string, name: string | undefined) => `${kind} ${JSON.stringify(name ?? '')}`;
  if (configMap?.items) return {title: named('ConfigMap', configMap.name), paths: pathsOf(configMap.items)};
  if (secret?.items) return {title: named('Secret', secret.name), paths: pathsOf(secret.items)};
  if (downwardAPI?.items) return {title: 'DownwardAPI', paths: pathsOf(downwardAPI.items)};
  if (serviceAccountToken) return {title: 'ServiceAccountToken', paths: [serviceAccountToken.path]};
  if (!clusterTrustBundle) return undefined;
  const {name, signerName, path} = clusterTrustBundle;
  return {title: named('ClusterTrustBundle', name ?? signerName), paths: [path]};
}

function overlaps(paths: readonly string[], title: string): string[] {
  const seen: string[] = [];
  return paths.flatMap(path => {
    const bare = path.replace(/\/+$/, '');
    const other = seen.find(one => one === bare || `${one}/`.startsWith(bare) || `${bare}/`.startsWith(one));
    if (!seen.includes(bare)) seen.push(bare);
    return other ? [`${title}: overlapping paths: ${JSON.stringify(bare)} with ${JSON.stringify(other)}`] : [];
  });
}
