// How a namespace ends. Pods go first; until the last one is gone nothing else is touched, so that a running program keeps its
// secrets to its end. Then everything else is deleted, resource by resource. What is still there afterwards has finalizers or
// takes its time: the conditions say so, and the next look comes after an estimate. With nothing left, the namespace's own
// finalizer is taken away, and with it the namespace.
import {compareStrings} from '../../../api/meta/go-text.ts';
import type {Namespace, NamespaceCondition, Pod} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import {parseTime} from '../../../api/meta/time.ts';

/** What is left of one resource after it was deleted. */
export interface Remains {
  readonly resource: ResourceFacts;
  readonly items: readonly KubeObject[];
}

/** What a look came to. */
export interface Content {
  /** Nothing but pods was looked at, as some remain. */
  readonly onlyPods: boolean;
  readonly remains: readonly Remains[];
  /** What deleting or listing failed with. */
  readonly errors: readonly string[];
  /** Versions that could not be asked what they have. */
  readonly unreachable: readonly string[];
}

const FINALIZER_SECONDS = 15;

/** How many seconds the remains may take, as far as one can tell. */
export function estimateSeconds(namespace: Namespace, pods: readonly Pod[], nowMs: number): number {
  const graces = pods.filter(pod => !isTerminal(pod)).map(pod => pod.spec.terminationGracePeriodSeconds ?? 0);
  const longest = Math.max(0, ...graces);
  const since = parseTime(namespace.metadata.deletionTimestamp) ?? nowMs;
  return nowMs - since >= longest * 1000 ? 0 : longest;
}

/** How long to wait for one resource's remains; undefined where nothing explains why they are there. */
export function waitSeconds(remains: Remains, graceSeconds: number): number | undefined {
  if (remains.items.length === 0) return 0;
  if (graceSeconds > 0) return graceSeconds;
  return remains.items.some(item => (item.metadata.finalizers ?? []).length > 0) ? FINALIZER_SECONDS : undefined;
}

type Words = readonly [status: string, reason: string, message: string];

/** The conditions after a look; the same list where nothing changed. */
export function planConditions(namespace: Namespace, content: Content, now: string): readonly NamespaceCondition[] {
  const old = namespace.status?.conditions ?? [];
  const next = Object.entries(wordsOf(content)).map(([type, [status, reason, message]]): NamespaceCondition => {
    const known = findCondition(old, type);
    if (known?.status === status && known.reason === reason && known.message === message) return known;
    const since = known?.status === status ? (known.lastTransitionTime ?? now) : now;
    return {type, status, reason, message, lastTransitionTime: since};
  });
  const same = next.length === old.length && next.every(each => old.includes(each));
  return same ? old : next;
}

function wordsOf({onlyPods, remains, errors, unreachable}: Content): Readonly<Record<string, Words>> {
  const left = onlyPods ? [] : remains.filter(each => each.items.length > 0);
  const finalizers = countFinalizers(left);
  return {
    NamespaceDeletionDiscoveryFailure:
      unreachable.length > 0
        ? ['True', 'DiscoveryFailed', discoveryText(unreachable)]
        : ['False', 'ResourcesDiscovered', 'All resources successfully discovered'],
    NamespaceDeletionGroupVersionParsingFailure: ['False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    NamespaceDeletionContentFailure:
      errors.length > 0
        ? [
            'True',
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${errors.length} remaining: ${aggregated(errors)}`,
          ]
        : ['False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    NamespaceContentRemaining:
      left.length > 0
        ? ['True', 'SomeResourcesRemain', `Some resources are remaining: ${left.map(remainText).toSorted().join(', ')}`]
        : ['False', 'ContentRemoved', 'All content successfully removed'],
    NamespaceFinalizersRemaining:
      finalizers.length > 0
        ? ['True', 'SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`]
        : ['False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  };
}

function discoveryText(versions: readonly string[]): string {
  const each = versions.map(version => `${version}: stale GroupVersion discovery: ${version}`).toSorted(compareStrings);
  const words = `unable to retrieve the complete list of server APIs: ${each.join(', ')}`;
  return `Discovery failed for some groups, ${versions.length} failing: ${words}`;
}

/** Several errors as Kubernetes prints them: each once, in brackets where there are more than one. */
function aggregated(errors: readonly string[]): string {
  const each = [...new Set(errors)];
  return each.length > 1 ? `[${each.join(', ')}]` : (each[0] ?? '');
}

function remainText({resource, items}: Remains): string {
  const name = resource.group === '' ? `${resource.resource}.` : `${resource.resource}.${resource.group}`;
  return `${name} has ${items.length} resource instances`;
}

function countFinalizers(left: readonly Remains[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const {items} of left) {
    for (const item of items) for (const name of item.metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} in ${count} resource instances`).toSorted();
}
