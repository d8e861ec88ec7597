// The patch that makes one status of a pod of another. Lists of a status are merged by the keys of their items, so what is gone must be
// named; and conditions and fields that others write stay as they are.
import type {PodStatus} from '../../../api/kinds/core-v1.ts';
import {createTwoWayPatch, type JsonObject} from '../../../api/schema/merge/index.ts';
import {schemaOf} from '../../../api/schema/types.ts';

const STATUS = schemaOf('io.k8s.api.core.v1.PodStatus');
/** What others write into a pod's status, and the kubelet leaves as it is. */
const OTHERS: readonly (keyof PodStatus)[] = ['nominatedNodeName', 'resourceClaimStatuses', 'extendedResourceClaimStatus'];

/** The strategic merge patch from `before`, as the server has it, to `status`; empty where nothing differs. */
export function statusPatch(status: PodStatus, before: PodStatus): JsonObject {
  const {conditions = []} = status;
  const ofOthers = (before.conditions ?? []).filter(
    ({type}) => !type.startsWith('PodResize') && !conditions.some(condition => condition.type === type),
  );
  const left = Object.fromEntries(OTHERS.flatMap(key => (before[key] === undefined ? [] : [[key, before[key]]])));
  const after = {...left, ...status, ...(ofOthers.length > 0 ? {conditions: [...conditions, ...ofOthers]} : {})};
  return createTwoWayPatch(before as unknown as JsonObject, after as unknown as JsonObject, STATUS);
}
