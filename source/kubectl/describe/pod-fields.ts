// The fields of a pod that a variable may take its value from.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {FieldValues} from './environment.ts';
import {sortedEntries} from './maps.ts';

/** The values of a pod's metadata. What comes with the pod's start (`status.podIP`) is not looked up. */
export function fieldValues(pod: Pod): FieldValues {
  const {metadata} = pod;
  return path => {
    const one = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path);
    if (one) return (one[1] === 'labels' ? metadata.labels : metadata.annotations)?.[one[2] ?? ''] ?? '';
    switch (path) {
      case 'metadata.name':
        return metadata.name;
      case 'metadata.namespace':
        return metadata.namespace ?? '';
      case 'metadata.uid':
        return metadata.uid;
      case 'metadata.labels':
        return mapText(metadata.labels);
      case 'metadata.annotations':
        return mapText(metadata.annotations);
      default:
        return '';
    }
  };
}

function mapText(map: Readonly<Record<string, string>> | undefined): string {
  return sortedEntries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}
