// The row of a VolumeAttachment.
import type {VolumeAttachment} from '../kinds/storage-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Attacher, PV, Node, Attached, Age. */
export function volumeAttachmentRow(attachment: VolumeAttachment, nowMs: number): readonly Cell[] {
  const {spec, status} = attachment;
  return [
    attachment.metadata.name,
    spec.attacher,
    spec.source.persistentVolumeName ?? '',
    spec.nodeName,
    status?.attached ?? false,
    age(attachment, nowMs),
  ];
}
