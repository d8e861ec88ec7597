// The label that keeps the pods of one Deployment's sets apart.
import type {LabelSelector} from '../../../api/kinds/meta.ts';

export const HASH_LABEL = 'pod-template-hash';

/** Labels with the hash. */
export function withHash(labels: Readonly<Record<string, string>> | undefined, hash: string): Readonly<Record<string, string>> {
  return Object.freeze({...labels, [HASH_LABEL]: hash});
}

/** A selector that asks for the hash too. */
export function selectingHash(selector: LabelSelector, hash: string): LabelSelector {
  return Object.freeze({...selector, matchLabels: withHash(selector.matchLabels, hash)});
}
