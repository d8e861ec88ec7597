// Taints and tolerations: does one bear the other?
import type {Taint, Toleration} from '../../../api/kinds/core-v1.ts';

/** Does a toleration bear a taint? */
export function toleratesTaint({key, operator, value, effect}: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' ? true : (value ?? '') === (taint.value ?? '') && operator !== 'Lt' && operator !== 'Gt';
}

/** The first taint that no toleration bears. */
export function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  for (const taint of taints) if (!tolerations.some(toleration => toleratesTaint(toleration, taint))) return taint;
  return undefined;
}
