// The constraints of pods that have none of their own: by default two soft ones for pods that a Service selects or that a
// ReplicaSet, StatefulSet or ReplicationController owns. Their selector is what those have in common.
import {
  mapMatcher,
  requirementsMatcher,
  requirementsText,
  selectorRequirements,
  sortRequirements,
  type Requirement,
} from '../../../api/meta/selector.ts';
import type {TopologySpreadConstraint} from '../../../api/kinds/core-v1.ts';
import {controllerOf} from '../../../api/meta/object.ts';
import type {Context} from '../framework.ts';
import type {LabelSet} from '../state/population.ts';
import type {SpreadConstraint} from '../state/shape.ts';
import type {PluginArguments} from './arguments.ts';

type Unsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway';
type Default = Pick<TopologySpreadConstraint, 'maxSkew' | 'topologyKey'> & {readonly whenUnsatisfiable: Unsatisfiable};

const SYSTEM: readonly Default[] = [
  {topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3},
  {topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5},
];

const NONE: readonly SpreadConstraint[] = [];

interface Made {
  readonly servicesVersion: number;
  readonly owner: string | undefined;
  readonly constraints: readonly SpreadConstraint[];
}

/** What pods without constraints get. */
export interface DefaultSpread {
  /** Are they the built-in ones, which do not insist on labels? */
  readonly system: boolean;
  constraints(context: Context, whenUnsatisfiable: Unsatisfiable): readonly SpreadConstraint[];
}

/** The defaults that a profile's arguments ask for. */
export function defaultSpread(args: PluginArguments): DefaultSpread {
  const system = args['defaultingType'] !== 'List';
  const defaults = system ? SYSTEM : ((args['defaultConstraints'] ?? []) as readonly Default[]);
  const memory: Readonly<Record<Unsatisfiable, WeakMap<LabelSet, Made>>> = {
    DoNotSchedule: new WeakMap(),
    ScheduleAnyway: new WeakMap(),
  };
  return {
    system,
    constraints(context, whenUnsatisfiable) {
      const wanted = defaults.filter(each => each.whenUnsatisfiable === whenUnsatisfiable);
      return wanted.length === 0 ? NONE : remembered(context, wanted, memory[whenUnsatisfiable]);
    },
  };
}

/** Pods with the same labels and owner get the same constraints, as long as Services stay as they are. */
function remembered(context: Context, wanted: readonly Default[], memory: WeakMap<LabelSet, Made>): readonly SpreadConstraint[] {
  const {cluster, pod} = context;
  const owner = controllerOf(pod.pod);
  const {servicesVersion} = cluster.lookups;
  const known = memory.get(pod.labels);
  if (known && known.servicesVersion === servicesVersion && known.owner === owner?.uid) return known.constraints;
  const ownSelector = owner && cluster.lookups.selectorOf(pod.namespace, owner);
  const requirements = sortRequirements([
    ...serviceRequirements(context),
    ...(ownSelector ? selectorRequirements(ownSelector) : []),
  ]);
  const constraints = requirements.length === 0 ? NONE : wanted.map(each => constraintOf(each, requirements));
  // An owner that has not been heard of yet may still come.
  if (!owner || ownSelector) memory.set(pod.labels, {servicesVersion, owner: owner?.uid, constraints});
  return constraints;
}

function serviceRequirements({cluster, pod}: Context): readonly Requirement[] {
  const labels = new Map<string, string>();
  for (const service of cluster.lookups.services(pod.namespace)) {
    const {selector} = service.spec ?? {};
    if (!mapMatcher(selector)(pod.labels.labels)) continue;
    for (const [key, value] of Object.entries(selector ?? {})) labels.set(key, value);
  }
  return [...labels].map(([key, value]) => ({key, operator: '=', values: [value]}));
}

function constraintOf({topologyKey, maxSkew}: Default, requirements: readonly Requirement[]): SpreadConstraint {
  return {
    topologyKey,
    maxSkew,
    minDomains: 1,
    selector: {key: requirementsText(requirements), matches: requirementsMatcher(requirements), everything: false},
    honorAffinity: true,
    honorTaints: false,
  };
}
