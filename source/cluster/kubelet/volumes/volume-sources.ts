// Where the content of a volume comes from: ConfigMaps, Secrets, the pod's own fields, tokens. A volume of one source and a
// projected one of several are the same here.
import type {DownwardAPIVolumeFile, KeyToPath, Pod, Volume, VolumeProjection} from '../../../api/kinds/core-v1.ts';
import type {Task} from '../../../sim/task.ts';
import {fieldText, resourceText, type FieldFacts} from '../containers/fields.ts';
import type {Data, References, Referred} from '../references.ts';

/** Files by path below the volume's root. */
export type Laid = ReadonlyMap<string, {readonly text: string; readonly mode: number}>;

type Source = VolumeProjection;

const NO_DATA: readonly undefined[] = Object.freeze([]);
const NO_SOURCES: readonly Source[] = Object.freeze([]);

/** The sources of a volume; none for a folder of its own. */
export function sourcesOf(volume: Volume): readonly Source[] {
  const {projected, configMap, secret, downwardAPI} = volume;
  if (projected) return projected.sources ?? NO_SOURCES;
  if (configMap) return [{configMap}];
  if (secret) {
    const {secretName, optional, items} = secret;
    return [
      {
        secret: {
          ...(secretName ? {name: secretName} : {}),
          ...(optional === undefined ? {} : {optional}),
          ...(items ? {items} : {}),
        },
      },
    ];
  }
  return downwardAPI ? [{downwardAPI}] : NO_SOURCES;
}

/** Volumes that hold what the cluster says are never written by containers. */
export function isAlwaysReadOnly({configMap, secret, projected, downwardAPI}: Volume): boolean {
  return (configMap ?? secret ?? projected ?? downwardAPI) !== undefined;
}

/** What all sources of a volume hold, where that takes no request and nothing is missing. */
export function keptSources(references: References, pod: Pod, volume: Volume): readonly (Data | undefined)[] | undefined {
  const sources = sourcesOf(volume);
  if (sources.length === 0) return NO_DATA;
  const found: (Data | undefined)[] = [];
  for (const {configMap, secret} of sources) {
    if (secret) return undefined;
    const kept = configMap && references.keptConfigMap(pod.metadata.namespace ?? 'default', configMap.name ?? '');
    if (configMap && (!kept || 'error' in kept || configMap.items?.some(item => !kept.data.has(item.key)))) return undefined;
    found.push(kept && 'data' in kept ? kept.data : undefined);
  }
  return found;
}

/** What a source holds, or the words of what is missing. */
export function* fetchSource(references: References, pod: Pod, source: Source): Task<Data | undefined | string> {
  const {configMap, secret} = source;
  const ref = configMap ?? secret;
  if (!ref) return undefined;
  const namespace = pod.metadata.namespace ?? 'default';
  const name = ref.name ?? '';
  const kept = configMap && references.keptConfigMap(namespace, name);
  const found: Referred =
    kept ?? (configMap ? yield* references.configMap(namespace, name) : yield* references.secret(namespace, name));
  if ('error' in found) return found.missing && ref.optional ? undefined : found.error;
  const missing = ref.optional ? undefined : ref.items?.find(item => !found.data.has(item.key));
  if (!missing) return found.data;
  return configMap
    ? `configmap references non-existent config key: ${missing.key}`
    : `references non-existent secret key: ${missing.key}`;
}

export interface LayFacts {
  readonly found: readonly (Data | undefined)[];
  readonly tokens: ReadonlyMap<string, string> | undefined;
  readonly pod: Pod;
  readonly fields: FieldFacts;
}

/** The files of a volume, from what was fetched. */
export function layOut(volume: Volume, {found, tokens, pod, fields}: LayFacts): Laid {
  const laid = new Map<string, {text: string; mode: number}>();
  const mode = (volume.projected ?? volume.configMap ?? volume.secret ?? volume.downwardAPI)?.defaultMode ?? 0o644;
  for (const [index, source] of sourcesOf(volume).entries()) {
    const {configMap, secret, downwardAPI, serviceAccountToken} = source;
    const ref = configMap ?? secret;
    if (ref) layKeys(laid, found[index], {items: ref.items, mode});
    for (const item of downwardAPI?.items ?? []) laid.set(item.path, {text: ownText(pod, item, fields), mode: item.mode ?? mode});
    const token = serviceAccountToken && tokens?.get(serviceAccountToken.path);
    if (serviceAccountToken && token !== undefined) laid.set(serviceAccountToken.path, {text: token, mode});
  }
  return laid;
}

function layKeys(
  laid: Map<string, {text: string; mode: number}>,
  data: Data | undefined,
  how: {readonly items: readonly KeyToPath[] | undefined; readonly mode: number},
): void {
  if (!how.items) {
    for (const [key, text] of data ?? []) laid.set(key, {text, mode: how.mode});
    return;
  }
  for (const {key, path, mode} of how.items) {
    const text = data?.get(key);
    if (text !== undefined) laid.set(path, {text, mode: mode ?? how.mode});
  }
}

function ownText(pod: Pod, {fieldRef, resourceFieldRef}: DownwardAPIVolumeFile, fields: FieldFacts): string {
  if (fieldRef) return fieldText(pod, fieldRef.fieldPath, fields) ?? '';
  const container = pod.spec.containers.find(each => each.name === resourceFieldRef?.containerName);
  return container && resourceFieldRef ? resourceText(container, resourceFieldRef, fields) : '';
}
