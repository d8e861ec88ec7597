// Claims and volumes belong to each other one to one, and no volume stays behind whose claim is gone.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../source/api/kinds/core-v1.ts';
import {parseTime} from '../../../../source/api/meta/time.ts';
import type {Check} from './check.ts';
import {listOf, nameOf, podsOf} from './reading.ts';

const PATIENCE_MS = 10 * 60_000;

export const CLAIMS: Check = {
  rest(state, {world}) {
    const volumes = listOf<PersistentVolume>(state, 'persistentvolumes');
    const claims = listOf<PersistentVolumeClaim>(state, 'persistentvolumeclaims');
    const found: string[] = [];
    for (const volume of volumes) {
      const ref = volume.spec?.claimRef;
      const claim = ref && claims.find(({metadata}) => metadata.uid === ref.uid);
      const since = parseTime(volume.status?.lastPhaseTransitionTime) ?? 0;
      // The driver tries again with longer and longer waits what failed while the disk was attached.
      if (!claim && world.wall - since < PATIENCE_MS) continue;
      if (!claim) found.push(`${nameOf(volume)} has no claim, and is ${volume.status?.phase}`);
      else if (claim.spec?.volumeName !== volume.metadata.name)
        found.push(`${nameOf(volume)} says ${nameOf(claim)}, which says ${claim.spec?.volumeName}`);
    }
    for (const claim of claims) {
      const {phase} = claim.status ?? {};
      const used = podsOf(state).some(
        ({metadata, spec}) =>
          metadata.namespace === claim.metadata.namespace &&
          spec.nodeName &&
          spec.volumes?.some(each => each.persistentVolumeClaim?.claimName === claim.metadata.name),
      );
      const volume = volumes.find(({metadata}) => metadata.name === claim.spec?.volumeName);
      if (phase === 'Bound' && !volume) found.push(`${nameOf(claim)} is bound to nothing`);
      if (phase !== 'Bound' && used) found.push(`${nameOf(claim)} is ${phase}, and a pod that uses it has a node`);
      if (claim.metadata.deletionTimestamp && !used) found.push(`${nameOf(claim)} does not go`);
    }
    return found;
  },
};
