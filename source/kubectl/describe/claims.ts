// The claims that a StatefulSet makes for each of its pods.
import type {PersistentVolumeClaim} from '../../api/kinds/core-v1.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import type {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** The access modes as tables write them: `RWO,ROX`. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return Object.keys(SHORT)
    .filter(mode => modes?.includes(mode))
    .map(mode => SHORT[mode])
    .join(',');
}

/** Writes the templates of claims. */
export function addClaims(lines: Lines, claims: readonly PersistentVolumeClaim[] | undefined): void {
  if (!claims || claims.length === 0) {
    lines.add(0, 'Volume Claims:\t<none>');
    return;
  }
  lines.add(0, 'Volume Claims:');
  for (const {metadata, spec} of claims) {
    lines.field(1, 'Name', metadata.name);
    lines.field(1, 'StorageClass', spec?.storageClassName ?? '');
    addLabels(lines, 'Labels', metadata.labels, '  ');
    addAnnotations(lines, 'Annotations', metadata.annotations, '  ');
    const storage = spec?.resources?.requests?.['storage'];
    lines.field(1, 'Capacity', storage === undefined ? '<default>' : canonicalQuantity(storage));
    lines.field(1, 'Access Modes', `[${(spec?.accessModes ?? []).join(' ')}]`);
  }
}
