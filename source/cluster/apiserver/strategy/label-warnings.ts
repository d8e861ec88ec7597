// Warnings about labels of nodes that have other names now.
import type {LabelSelector} from '../../../api/kinds/meta.ts';

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

/** What is to be said about a map of labels: one that is old is named by its place. */
export function mapWarnings(labels: Readonly<Record<string, string>> | undefined, at: (name: string) => string): string[] {
  return Object.keys(labels ?? {}).flatMap(name => (OLD_LABELS[name] ? [`${at(name)}: ${OLD_LABELS[name]}`] : []));
}

/** What is to be said about a label that is named at a path. */
export function keyWarning(key: string, at: string): string[] {
  return OLD_LABELS[key] ? [`${at}: ${key} is ${OLD_LABELS[key]}`] : [];
}

/** What is to be said about the expressions of a selector or of a term. */
export function expressionWarnings(expressions: LabelSelector['matchExpressions'] = [], path: string): string[] {
  return expressions.flatMap(({key}, index) => keyWarning(key, `${path}.matchExpressions[${index}].key`));
}
