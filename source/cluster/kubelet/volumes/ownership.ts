// Who may write to a volume: everybody to a folder that the kubelet makes, and of a pod with an fsGroup that group, whose is then all
// that is made in it. Volumes that are folders of the node are left as they are.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Files} from '../../../sim/files.ts';

/** What the group may do, beside handing itself on: read and write, and enter folders. */
const SET_GROUP = 0o2000;
const ENTER = 0o110;

/** Gives all of a volume to the pod's fsGroup, if it has one; `OnRootMismatch` looks at the top alone. */
export function giveToGroup(files: Files, path: string, {spec}: Pod, readOnly = false): void {
  const mask = readOnly ? 0o440 : 0o660;
  const folder = mask | ENTER | SET_GROUP;
  const {fsGroup, fsGroupChangePolicy} = spec.securityContext ?? {};
  if (fsGroup === undefined) return;
  const top = files.info(path);
  const isRight = top?.owner?.gid === fsGroup && (top.mode & folder) === folder;
  if (fsGroupChangePolicy === 'OnRootMismatch' && isRight) return;
  give(files, path, {gid: fsGroup, folder, file: mask});
}

function give(files: Files, path: string, how: {readonly gid: number; readonly folder: number; readonly file: number}): void {
  const info = files.info(path);
  if (!info || info.kind === 'link') return;
  files.setOwner(path, {uid: info.owner?.uid ?? 0, gid: how.gid});
  files.setMode(path, info.mode | (info.kind === 'folder' ? how.folder : how.file));
  for (const name of files.list(path) ?? []) give(files, `${path === '/' ? '' : path}/${name}`, how);
}
