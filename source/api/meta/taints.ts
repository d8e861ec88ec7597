// Taints and tolerations: does one bear the other?
import type {Taint, Toleration} from '../kinds/core-v1.ts';

/** Does a toleration bear a taint? The operators Lt and Gt are behind a gate that is off. */
export function toleratesTaint({key, operator, value, effect}: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== undefined && key !== '' && (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}

/** The first taint, of those with one of the effects, that no toleration bears; without effects any counts. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[],
  effects?: readonly Taint['effect'][],
): Taint | undefined {
  for (const taint of taints ?? []) {
    if (effects && !effects.includes(taint.effect)) continue;
    if (!tolerations.some(toleration => toleratesTaint(toleration, taint))) return taint;
  }
  return undefined;
}
