// DenyServiceExternalIPs: a Service gets no new addresses outside of the cluster; those that it has it may keep or lose.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Plugin} from './plugin.ts';
import {forbid} from './pod-object.ts';

export const denyExternalIps: Plugin = {
  name: 'DenyServiceExternalIPs',
  optional: true,
  resources: ['services'],
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {object, old} = attributes;
    if (!object) return undefined;
    const had = externalIps(old);
    const isNew = externalIps(object).some(address => !had.includes(address));
    return isNew ? forbid(attributes, object, 'Use of external IPs is denied by admission control') : undefined;
  },
};

function externalIps(service: AnyObject | undefined): readonly string[] {
  return (service as unknown as Service | undefined)?.spec?.externalIPs ?? [];
}
