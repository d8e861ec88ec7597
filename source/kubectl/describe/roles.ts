// The pages of roles and of their bindings. Rules are taken apart to one verb on one resource, and those on the same resource put
// together again.
import type {ClusterRole, PolicyRule, RoleBinding} from '../../api/kinds/rbac-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {simpleRules} from '../resources/rules.ts';
import type {Describer} from './describer.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

/** A rule about one thing: a resource of a group, or a path. */
interface PlainRule {
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly url?: string;
  readonly verbs: readonly string[];
}

export const describeRole: Describer = async object => {
  const {metadata, rules} = object as unknown as ClusterRole;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.add(0, 'PolicyRule:');
  lines.add(1, 'Resources\tNon-Resource URLs\tResource Names\tVerbs');
  lines.add(1, '---------\t-----------------\t--------------\t-----');
  for (const rule of sorted(compacted(simpleRules(rules ?? []).map(plain))))
    lines.add(1, `${resourceText(rule)}\t${listText(rule.url)}\t${listText(rule.name)}\t[${rule.verbs.join(' ')}]`);
  return lines.text();
};

function plain({apiGroups, resources, resourceNames, nonResourceURLs, verbs}: PolicyRule): PlainRule {
  const [group, resource, name, url] = [apiGroups, resources, resourceNames, nonResourceURLs].map(list => list?.[0]);
  return {
    verbs,
    ...(group === undefined ? {} : {group}),
    ...(resource === undefined ? {} : {resource}),
    ...(name === undefined ? {} : {name}),
    ...(url === undefined ? {} : {url}),
  };
}

function compacted(rules: readonly PlainRule[]): readonly PlainRule[] {
  const others: PlainRule[] = [];
  const simple = new Map<string, PlainRule>();
  for (const rule of rules) {
    if (rule.url !== undefined) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.group, rule.resource, rule.name ?? null]);
    const verbs = [...new Set([...(simple.get(key)?.verbs ?? []), ...rule.verbs])];
    simple.set(key, {...rule, verbs});
  }
  return [...others, ...simple.values()];
}

/** In the order of how Go would write them, the verbs first. */
function sorted(rules: readonly PlainRule[]): readonly PlainRule[] {
  const text = ({group, resource, name, url, verbs}: PlainRule) =>
    `Verbs:[${verbs.join(' ')}],APIGroups:${listText(group)},Resources:${listText(resource)},ResourceNames:${listText(name)},NonResourceURLs:${listText(url)},`;
  return rules.toSorted((a, b) => compareStrings(text(a), text(b)));
}

function listText(value: string | undefined): string {
  return value === undefined ? '[]' : `[${value}]`;
}

/** `deployments.apps/scale`. */
function resourceText({group = '', resource}: PlainRule): string {
  if (resource === undefined) return '';
  const at = resource.indexOf('/');
  const [name, rest] = at < 0 ? [resource, ''] : [resource.slice(0, at), resource.slice(at)];
  return `${name}${group === '' ? '' : `.${group}`}${rest}`;
}

export const describeBinding: Describer = async object => {
  const {metadata, roleRef, subjects} = object as unknown as RoleBinding;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.add(0, 'Role:');
  lines.field(1, 'Kind', roleRef.kind);
  lines.field(1, 'Name', roleRef.name);
  lines.raw('Subjects:\n  Kind\tName\tNamespace\n  ----\t----\t---------\n');
  for (const {kind, name, namespace = ''} of subjects ?? []) lines.add(1, `${kind}\t${name}\t${namespace}`);
  return lines.text();
};
