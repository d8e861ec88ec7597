// LimitPodHardAntiAffinityTopology: pods may insist on a node without their like, on nothing larger, so that one cannot keep others from
// a whole zone.
import type {Plugin} from './plugin.ts';
import {forbid, specOf} from './pod-object.ts';

const HOSTNAME = 'kubernetes.io/hostname';

export const hardAntiAffinity: Plugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {object} = attributes;
    const terms = object ? (specOf(object).affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) : [];
    const wide = terms.find(({topologyKey}) => topologyKey !== HOSTNAME);
    if (!object || !wide) return undefined;
    const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey} but only key ${HOSTNAME} is allowed`;
    return forbid(attributes, object, why);
  },
};
