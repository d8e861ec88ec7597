// What becomes of a claim that no volume fits: its class names somebody who makes volumes. Nobody inside the control plane does
// any more; a claim is marked for the provisioner outside, and waits.
import type {StorageClass} from '../../../api/kinds/storage-v1.ts';
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {isDelayedClass, SELECTED_NODE} from '../../../api/meta/volume-match.ts';
import type {Happening} from '../../../client/events.ts';

const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const OLD_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
const DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/** In-tree names whose work external drivers have taken over. */
const MIGRATED: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/** Is the claim to wait until the scheduler has chosen a node? */
export function isDelayed(claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean {
  if (claim.metadata.annotations?.[SELECTED_NODE] !== undefined) return false;
  return isDelayedClass(storageClass);
}

/** What is said of the claim, and the annotations that it is to have. */
export interface Provisioning {
  readonly event: Happening;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Hands a claim over to its class's provisioner. */
export function planProvisioning(className: string, storageClass: StorageClass | undefined): Provisioning {
  const failed = (message: string): Provisioning => ({
    event: {type: 'Warning', reason: 'ProvisioningFailed', message},
    annotations: {},
  });
  if (!storageClass) return failed(`storageclass.storage.k8s.io "${className}" not found`);
  const {provisioner} = storageClass;
  const driver = MIGRATED[provisioner] ?? provisioner;
  if (driver.startsWith('kubernetes.io/')) return failed(`no volume plugin matched name: ${driver}`);
  const message =
    `Waiting for a volume to be created either by the external provisioner '${driver}' or manually by the system administrator. ` +
    'If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  return {
    event: {type: 'Normal', reason: 'ExternalProvisioning', message},
    annotations: {[OLD_PROVISIONER]: driver, [PROVISIONER]: driver},
  };
}

/** The class for claims that name none: the newest of those marked as default. */
export function defaultClass(classes: Iterable<StorageClass>): StorageClass | undefined {
  const marked = [...classes].filter(each => each.metadata.annotations?.[DEFAULT] === 'true');
  return marked.toSorted((a, b) => {
    const left = `${a.metadata.creationTimestamp} ${a.metadata.name}`;
    const right = `${b.metadata.creationTimestamp} ${b.metadata.name}`;
    return left < right ? 1 : -1;
  })[0];
}
