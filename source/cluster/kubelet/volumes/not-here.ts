// Volumes that this node cannot mount: of a driver that does not run on it, or of a file system whose helper is not installed.
import type {Pod, Volume} from '../../../api/kinds/core-v1.ts';
import type {KubeletParts} from '../surroundings.ts';

const PODS = '/var/lib/kubelet/pods';

/** Why not; undefined for all other volumes. */
export function whyNotHere({plugins}: KubeletParts, {metadata: {uid}}: Pod, {name, csi, nfs}: Volume): string | undefined {
  if (csi && !plugins.has(csi.driver))
    return `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${csi.driver} not found in the list of registered CSI drivers`;
  if (!nfs) return undefined;
  const folder = `${PODS}/${uid}/volumes/kubernetes.io~nfs/${name}`;
  return [
    'mount failed: exit status 32',
    'Mounting command: mount',
    `Mounting arguments: -t nfs ${nfs.readOnly ? '-o ro ' : ''}${nfs.server}:${nfs.path} ${folder}`,
    `Output: mount: ${folder}: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.`,
    '       dmesg(1) may have more information after failed mount system call.\n',
  ].join('\n');
}
