// Which objects a target means: patterns for group, version, kind, name and namespace, and selectors for labels and annotations.
import {parseSelector} from '../../api/meta/selector-parser.ts';
import {requirementsMatcher} from '../../api/meta/selector.ts';
import type {Selector} from './kustomization.ts';
import {Refused} from './refused.ts';
import type {Resource} from './resource.ts';

/** The objects that a target means; they may be called by their old names. */
export function selected(all: readonly Resource[], selector: Selector): readonly Resource[] {
  const fits = (pattern: string | undefined) => patternOf(pattern);
  const [group, version, kind] = [fits(selector.group), fits(selector.version), fits(selector.kind)];
  const [name, namespace] = [fits(selector.name), fits(selector.namespace)];
  const labels = wordsMatcher(selector.labelSelector);
  const annotations = wordsMatcher(selector.annotationSelector);
  return all.filter(
    ({id, names, metadata}) =>
      group(id.group) &&
      version(id.version) &&
      kind(id.kind) &&
      names.some(one => name(one.name) && namespace(one.namespace)) &&
      labels(metadata['labels']) &&
      annotations(metadata['annotations']),
  );
}

function patternOf(pattern = ''): (text: string) => boolean {
  if (pattern === '') return () => true;
  try {
    const test = new RegExp(`^(?:${pattern})$`);
    return text => test.test(text);
  } catch {
    throw new Refused(`error parsing regexp: ${pattern}`);
  }
}

function wordsMatcher(text = ''): (words: unknown) => boolean {
  if (text === '') return () => true;
  const parsed = parseSelector(text);
  if ('error' in parsed) throw new Refused(parsed.error);
  const matches = requirementsMatcher(parsed.requirements);
  return words => matches((words ?? {}) as Readonly<Record<string, string>>);
}
