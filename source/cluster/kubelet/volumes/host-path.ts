// hostPath volumes: a path of the node must be what the pod says that it is.
import type {HostPathVolumeSource} from '../../../api/kinds/core-v1.ts';
import type {Files} from '../../../sim/files.ts';

/** Checks a path, or makes it where the type says so; why it cannot be used. */
export function checkHostPath(files: Files, path: string, type: NonNullable<HostPathVolumeSource['type']>): string | undefined {
  const info = files.info(path);
  const unless = (good: boolean, what: string) => (good ? undefined : `hostPath type check failed: ${path} is not ${what}`);
  switch (type) {
    case 'Directory':
      return unless(info?.kind === 'folder', 'a directory');
    case 'File':
      return unless(info?.kind === 'file', 'a file');
    case 'Socket':
      return unless(info?.kind === 'file', 'a socket file');
    case 'CharDevice':
      return unless(false, 'a character device');
    case 'BlockDevice':
      return unless(false, 'a block device');
    case 'FileOrCreate':
      if (!info && files.write(path, '', 0o644)) return `open ${path}: no such file or directory`;
      return unless(info?.kind !== 'folder', 'a file');
    case 'DirectoryOrCreate':
      if (!info) files.makeFolder(path);
      return unless(info?.kind !== 'file', 'a directory');
    default:
      if (!info) files.makeFolder(path);
      return undefined;
  }
}
