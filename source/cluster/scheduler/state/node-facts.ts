// What a Node object says, compiled for plugins.
import type {Node, Taint} from '../../../api/kinds/core-v1.ts';
import {allocatableOf, Resources} from './resources.ts';

/** What a Node object says; made anew when it changes. */
export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly unschedulable: boolean;
  /** Taints with effect NoSchedule or NoExecute. */
  readonly hardTaints: readonly Taint[];
  /** Taints with effect PreferNoSchedule. */
  readonly softTaints: readonly Taint[];
  readonly allocatable: Resources;
  readonly allowedPods: number;
  /** Sizes in bytes by image name. */
  readonly images: ReadonlyMap<string, number>;
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/** The facts of a Node object. */
export function nodeFacts(node: Node): NodeFacts {
  const taints = node.spec?.taints ?? [];
  const {resources, pods} = allocatableOf(node.status?.allocatable);
  return {
    name: node.metadata.name,
    labels: node.metadata.labels ?? NO_LABELS,
    unschedulable: node.spec?.unschedulable === true,
    hardTaints: taints.filter(taint => taint.effect !== 'PreferNoSchedule'),
    softTaints: taints.filter(taint => taint.effect === 'PreferNoSchedule'),
    allocatable: resources,
    allowedPods: pods,
    images: new Map(
      (node.status?.images ?? []).flatMap(image => (image.names ?? []).map(name => [name, image.sizeBytes ?? 0] as const)),
    ),
  };
}

/** What is known of a node that does not exist. */
export const NOWHERE: NodeFacts = Object.freeze({
  name: '',
  labels: NO_LABELS,
  unschedulable: true,
  hardTaints: [],
  softTaints: [],
  allocatable: new Resources(),
  allowedPods: 0,
  images: new Map<string, number>(),
});

/** A node as far as counting pods is concerned. */
export interface Place {
  readonly name: string;
  readonly exists: boolean;
  readonly facts: NodeFacts;
  /** The value of a label: the domain that the node belongs to. */
  domain(topologyKey: string): string | undefined;
}
