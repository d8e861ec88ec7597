// A folder cannot be mounted over a file that the image brings, nor a file over a folder.
import type {Mount} from '../../api/wire/cri.ts';

/** Folders that every image has. */
const FOLDERS = /^\/(bin|dev|etc|home|lib|proc|root|run|sbin|srv|sys|tmp|usr|var)$/;

/** Why the first of the mounts that does not fit cannot be made, as the kernel and runc say it. */
export function whyNotMounted(mounts: readonly Mount[], imageFiles: readonly string[]): string | undefined {
  for (const {path, source, files, from} of mounts) {
    const isFolder = files().isFolder(from);
    const fits = isFolder
      ? !imageFiles.includes(path)
      : !FOLDERS.test(path) && !imageFiles.some(each => each.startsWith(`${path}/`));
    if (fits) continue;
    return `error mounting "${source}" to rootfs at "${path}": mount src=${source}, dst=${path}, dstFd=/proc/thread-self/fd/11, flags=MS_BIND|MS_REC: not a directory`;
  }
  return undefined;
}
