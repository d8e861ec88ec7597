// The pods that a target's selector selects, and the autoscalers that have an eye on the same ones.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {requirementsMatcher, type LabelMatcher} from '../../../api/meta/selector.ts';
import type {Informers} from '../../../client/informer.ts';
import {podIndexes} from '../pod-index.ts';

/** The pods of a namespace that a selector's text selects. */
export function podsOf(informers: Informers, namespace: string, text: string): readonly Pod[] {
  const parsed = parseSelector(text);
  const requirements = 'requirements' in parsed ? parsed.requirements : [];
  const matches = requirementsMatcher(requirements);
  const {pods, byLabel} = podIndexes(informers);
  const exact = requirements.find(({operator}) => operator === '=');
  const candidates = exact ? byLabel.of(`${namespace}/${exact.key}=${exact.values[0]}`).values() : pods.store.values();
  return [...candidates].filter(({metadata}) => metadata.namespace === namespace && matches(metadata.labels));
}

/** What an autoscaler saw: its target's selector, and whom that selects. */
interface Seen {
  readonly key: string;
  readonly labelSelector: string;
  readonly pods: readonly Pod[];
}

/** Selectors of the targets, by the autoscaler, as they were seen last. */
export class Selectors {
  readonly #selectors = new Map<string, string>();

  /** The autoscalers whose targets' selectors select one of these pods: there should be no other. */
  rivals({key, labelSelector, pods}: Seen, store: ReadonlyMap<string, unknown>): readonly string[] {
    this.#selectors.set(key, labelSelector);
    const [namespace] = key.split('/');
    return [...this.#selectors].flatMap(([other, text]) => {
      if (!store.has(other)) {
        this.#selectors.delete(other);
        return [];
      }
      const [place, name = ''] = other.split('/');
      const matches = matcherOf(text);
      const selects = place === namespace && pods.some(({metadata}) => matches(metadata.labels));
      return other === key || selects ? [`${name}/${place}`] : [];
    });
  }
}

function matcherOf(text: string): LabelMatcher {
  const parsed = parseSelector(text);
  return requirementsMatcher('requirements' in parsed ? parsed.requirements : []);
}
