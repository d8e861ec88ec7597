// In-place resize: what a pod's containers get, as against what its spec asks for. A wish is granted when the node has room for it,
// put off while it has not, refused when no room would do; what is granted is carried out in the container, or by a new life of it
// where its spec says so.
//
// Not modelled: init containers and sidecars, resources of the pod as a whole, and what was granted before the kubelet was started
// anew (the spec is taken for it).
import type {Container, Pod, ResourceRequirements} from '../../../api/kinds/core-v1.ts';
import {amountsOf, podRequests} from '../../../api/meta/pod-resources.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {isCriError, type ContainerUsage} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import {limits} from './container-config.ts';
import type {PodKnowledge, WaitingReason} from '../knowledge.ts';
import {needsRestart, RESOURCES, sameResources} from './resource-change.ts';
import {tell, type KubeletParts} from '../surroundings.ts';

export interface ResizeOptions {
  readonly parts: KubeletParts;
  readonly known: PodKnowledge;
}

/** What one pod's containers are granted. */
export class PodResize {
  readonly #parts: KubeletParts;
  readonly #known: PodKnowledge;
  #granted: ReadonlyMap<string, ResourceRequirements | undefined>;
  #desired: Pod;

  constructor({parts, known}: ResizeOptions, pod: Pod) {
    this.#parts = parts;
    this.#known = known;
    this.#desired = pod;
    this.#granted = resourcesOf(pod);
  }

  /** The pod as the API has it. */
  get desired(): Pod {
    return this.#desired;
  }

  /** The object changed: the pod with what it is granted. */
  take(pod: Pod): Pod {
    const asks = pod.spec !== this.#desired.spec || this.#known.pendingResize?.reason === 'Deferred';
    this.#desired = pod;
    if (asks) this.#decide(pod);
    if (!this.#known.pendingResize) return pod;
    const containers = pod.spec.containers.map(container => {
      const {resources: _, ...rest} = container;
      const granted = this.#granted.get(container.name);
      return granted === undefined ? rest : {...rest, resources: granted};
    });
    return {...pod, spec: {...pod.spec, containers}};
  }

  #decide(pod: Pod): void {
    const known = this.#known;
    if (pod.spec.containers.every(each => sameResources(each.resources, this.#granted.get(each.name)))) {
      known.pendingResize = undefined;
      return;
    }
    const refused = this.#whyNot(pod);
    if (refused) {
      const isNew = known.pendingResize?.message !== refused.message;
      known.pendingResize = refused;
      if (isNew)
        tell(this.#parts, pod, {
          type: 'Warning',
          reason: `Resize${refused.reason}`,
          message: `Pod resize ${refused.reason}: ${this.#text(pod, refused.message)}`,
        });
      return;
    }
    known.pendingResize = undefined;
    known.resizing = true;
    this.#granted = resourcesOf(pod);
    const {room} = this.#parts;
    room.exchange(pod);
    tell(this.#parts, pod, {type: 'Normal', reason: 'ResizeStarted', message: `Pod resize started: ${this.#text(pod)}`});
  }

  #whyNot(pod: Pod): WaitingReason | undefined {
    const {config, room} = this.#parts;
    const most = amountsOf(config.allocatable);
    const wanted = podRequests(pod.spec);
    for (const name of RESOURCES) {
      const [requested = 0, capacity = Infinity] = [wanted[name], most[name]];
      if (requested > capacity) {
        const message = `Node didn't have enough capacity: ${name}, requested: ${requested}, capacity: ${capacity}`;
        return {reason: 'Infeasible', message};
      }
    }
    for (const name of RESOURCES) {
      const [requested = 0, capacity = Infinity] = [wanted[name], most[name]];
      const used = room.usedByOthers(name, pod.metadata.uid);
      if (requested > 0 && used + requested > capacity) {
        const message = `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
        return {reason: 'Deferred', message};
      }
    }
    return undefined;
  }

  /** Has a container that runs other resources than it is granted? */
  isBehind(pod: Pod): boolean {
    return this.#known.resizing && (this.#behind(pod).length > 0 || this.#isDone(pod));
  }

  /** Gives running containers what they are granted, where that needs no new life; tells when all have it. False when they use too much. */
  *carryOut(pod: Pod): Task<boolean> {
    const behind = this.#behind(pod);
    const why = behind.length > 0 ? yield* this.#whyTooTight(pod, behind) : undefined;
    const before = this.#known.resizeError?.message;
    this.#known.resizeError = why === undefined ? undefined : {reason: 'Error', message: why};
    if (why !== undefined) {
      const message = `Pod resize error: ${this.#text(pod, why)}`;
      if (before === undefined) tell(this.#parts, pod, {type: 'Warning', reason: 'ResizeError', message});
      return false;
    }
    for (const container of behind) {
      const known = this.#known.of(container.name);
      const id = known.newest?.id ?? '';
      const answer = yield* this.#parts.runtime.ask({kind: 'update-container', id, ...limits(container)});
      if (!isCriError(answer)) known.resources = container.resources ?? {};
    }
    if (!this.#isDone(pod)) return true;
    this.#known.resizing = false;
    tell(this.#parts, pod, {type: 'Normal', reason: 'ResizeCompleted', message: `Pod resize completed: ${this.#text(pod)}`});
    return true;
  }

  /** A container is not given less memory than it uses now. */
  *#whyTooTight(pod: Pod, behind: readonly Container[]): Task<string | undefined> {
    const shrinking = behind.filter(container => {
      const {resources} = this.#known.find(container.name) ?? {};
      return memoryLimit(container.resources) < memoryLimit(resources);
    });
    if (shrinking.length === 0) return undefined;
    const usage = yield* this.#parts.runtime.ask<readonly ContainerUsage[]>({kind: 'usage', uid: pod.metadata.uid});
    return isCriError(usage) ? undefined : whyTooTight(pod, shrinking, usage);
  }

  #behind(pod: Pod): Container[] {
    return pod.spec.containers.filter(container => {
      const {newest, resources} = this.#known.find(container.name) ?? {};
      const behind = newest?.state === 'running' && resources && !sameResources(resources, container.resources);
      return behind && !needsRestart(container, resources);
    });
  }

  #isDone(pod: Pod): boolean {
    return (
      this.#known.resizing &&
      pod.spec.containers.every(container => {
        const {newest, resources} = this.#known.find(container.name) ?? {};
        return newest?.state === 'running' && sameResources(resources, container.resources);
      })
    );
  }

  #text({spec, metadata}: Pod, error?: string): string {
    const containers = spec.containers.map(({name, resources}) => ({name, resources: ordered(resources)}));
    return JSON.stringify({containers, generation: metadata.generation, ...(error === undefined ? {} : {error})});
  }
}

function memoryLimit(resources: ResourceRequirements | undefined): number {
  const limit = resources?.limits?.['memory'];
  return limit === undefined ? Infinity : unitValue(limit);
}

/** Why memory limits may not shrink: that of the pod, where all of its containers have one, and those of containers. */
function whyTooTight({spec}: Pod, shrinking: readonly Container[], usage: readonly ContainerUsage[]): string | undefined {
  const wrong: string[] = [];
  const whole = spec.containers.reduce((sum, {resources}) => sum + memoryLimit(resources), 0);
  const used = usage.reduce((sum, {memoryBytes}) => sum + memoryBytes, 0);
  if (whole < used) wrong.push(`attempting to set pod memory limit (${whole}) below current usage (${used})`);
  for (const {name, resources} of shrinking) {
    const limit = memoryLimit(resources);
    const own = usage.find(each => each.name === name)?.memoryBytes ?? 0;
    if (limit < own)
      wrong.push(`attempting to set container ${JSON.stringify(name)} memory limit (${limit}) below current usage (${own})`);
  }
  if (wrong.length === 0) return undefined;
  return `cannot decrease memory limits: ${wrong.length > 1 ? `[${wrong.join(', ')}]` : wrong[0]}`;
}

function ordered(resources: ResourceRequirements | undefined): ResourceRequirements {
  const {limits: most, requests: least} = resources ?? {};
  return {...(most ? {limits: most} : {}), ...(least ? {requests: least} : {})};
}

function resourcesOf(pod: Pod): ReadonlyMap<string, ResourceRequirements | undefined> {
  return new Map(pod.spec.containers.map(container => [container.name, container.resources]));
}
