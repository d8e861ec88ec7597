// What a pod asks of its node: tolerations and the spreading over domains.
import type {Toleration, TopologySpreadConstraint} from '../../api/kinds/core-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {selectorText} from '../../api/meta/selector.ts';
import type {Lines} from './lines.ts';

/** Writes the tolerations, sorted by key. */
export function addTolerations(lines: Lines, tolerations: readonly Toleration[] | undefined, indent = ''): void {
  const sorted = (tolerations ?? []).toSorted((a, b) => compareStrings(a.key ?? '', b.key ?? ''));
  if (sorted.length === 0) lines.add(0, `${indent}Tolerations:\t<none>`);
  for (const [index, toleration] of sorted.entries())
    lines.add(0, `${indent}${index === 0 ? 'Tolerations:' : ''}\t${tolerationText(toleration)}`);
}

function tolerationText({key = '', value = '', effect, operator, tolerationSeconds}: Toleration): string {
  const what = `${key}${value === '' ? '' : `=${value}`}${effect ? `:${effect}` : ''}`;
  const exists = operator === 'Exists' && value === '' ? `${what === '' ? '' : ' '}op=Exists` : '';
  return `${what}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

/** Writes how the pods of a selector are to spread. */
export function addSpreading(lines: Lines, constraints: readonly TopologySpreadConstraint[] | undefined, indent = ''): void {
  const sorted = (constraints ?? []).toSorted((a, b) => compareStrings(a.topologyKey, b.topologyKey));
  for (const [index, constraint] of sorted.entries()) {
    const selector = constraint.labelSelector ? ` for selector ${selectorText(constraint.labelSelector)}` : '';
    const head = `${indent}${index === 0 ? 'Topology Spread Constraints:' : ''}\t`;
    lines.add(
      0,
      `${head}${constraint.topologyKey}:${constraint.whenUnsatisfiable} when max skew ${constraint.maxSkew} is exceeded${selector}`,
    );
  }
}
