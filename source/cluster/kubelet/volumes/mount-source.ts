// Where the node's disk has what is mounted into a container.
import type {Pod, Volume} from '../../../api/kinds/core-v1.ts';

const KINDS = [
  ['configMap', 'configmap'],
  ['secret', 'secret'],
  ['projected', 'projected'],
  ['downwardAPI', 'downward-api'],
  ['emptyDir', 'empty-dir'],
  ['csi', 'csi'],
] as const;

/** The path of a volume, or of a part of it as it was bound for one mount of one container. */
export function sourceOf(
  {metadata: {uid}}: Pod,
  {
    volume,
    below,
    container,
    at,
  }: {readonly volume: Volume | undefined; readonly below: string; readonly container: string; readonly at: number},
): string {
  const pod = `/var/lib/kubelet/pods/${uid}`;
  if (!volume) return pod;
  if (below !== '') return `${pod}/volume-subpaths/${volume.name}/${container}/${at}`;
  if (volume.hostPath) return volume.hostPath.path;
  const kind = KINDS.find(([field]) => volume[field] !== undefined)?.[1] ?? 'local-volume';
  return `${pod}/volumes/kubernetes.io~${kind}/${volume.name}`;
}
