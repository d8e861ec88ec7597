// All plugins by name. To add one: write its file and its line here; a profile or the default configuration names it.
import type {Plugin} from '../framework.ts';
import type {PluginArguments} from './arguments.ts';
import {defaultBinder} from './default-binder.ts';
import {defaultPreemption} from './default-preemption.ts';
import {dynamicResources} from './dynamic-resources.ts';
import {imageLocality} from './image-locality.ts';
import {interPodAffinity} from './inter-pod-affinity.ts';
import {nodeAffinity} from './node-affinity.ts';
import {nodeName} from './node-name.ts';
import {nodePorts} from './node-ports.ts';
import {nodeResourcesBalancedAllocation} from './node-resources-balanced-allocation.ts';
import {nodeResourcesFit} from './node-resources-fit.ts';
import {nodeUnschedulable} from './node-unschedulable.ts';
import {nodeVolumeLimits} from './node-volume-limits.ts';
import {podTopologySpread} from './pod-topology-spread.ts';
import {prioritySort} from './priority-sort.ts';
import {schedulingGates} from './scheduling-gates.ts';
import {taintToleration} from './taint-toleration.ts';
import {volumeBinding} from './volume-binding.ts';
import {volumeRestrictions} from './volume-restrictions.ts';
import {volumeZone} from './volume-zone.ts';

export type {PluginArguments} from './arguments.ts';

/** Makes a plugin from its arguments. */
export type PluginMaker = (args: PluginArguments) => Plugin;

/** Every plugin that a profile may name. */
export const PLUGINS: Readonly<Record<string, PluginMaker>> = {
  SchedulingGates: () => schedulingGates,
  PrioritySort: () => prioritySort,
  NodeUnschedulable: () => nodeUnschedulable,
  NodeName: () => nodeName,
  TaintToleration: () => taintToleration as Plugin,
  NodeAffinity: args => nodeAffinity(args) as Plugin,
  NodePorts: () => nodePorts as Plugin,
  NodeResourcesFit: args => nodeResourcesFit(args) as Plugin,
  VolumeRestrictions: () => volumeRestrictions as Plugin,
  NodeVolumeLimits: () => nodeVolumeLimits as Plugin,
  VolumeBinding: args => volumeBinding(args) as Plugin,
  VolumeZone: () => volumeZone as Plugin,
  PodTopologySpread: args => podTopologySpread(args) as Plugin,
  InterPodAffinity: args => interPodAffinity(args) as Plugin,
  DynamicResources: () => dynamicResources as Plugin,
  DefaultPreemption: defaultPreemption,
  NodeResourcesBalancedAllocation: args => nodeResourcesBalancedAllocation(args) as Plugin,
  ImageLocality: () => imageLocality as Plugin,
  DefaultBinder: () => defaultBinder,
};
