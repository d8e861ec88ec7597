// A pod that a selector fits is on one of some nodes (`gpu-*`).
import type {Pod} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {parseSelector} from '../../api/meta/selector-parser.ts';
import {requirementsMatcher} from '../../api/meta/selector.ts';
import {checked, needed, optional, record, text} from '../level/reader.ts';
import type {CheckKind} from './check.ts';

interface Arguments {
  readonly nodes: string;
  readonly selector: string;
  readonly namespace?: string;
}

const pods = builtin('pods');
const selector = checked(text(), words => ('error' in parseSelector(words) ? 'this is not a label selector' : undefined));

export const podOn: CheckKind<Arguments> = {
  name: 'podOn',
  arguments: record({nodes: needed(text()), selector: needed(selector), namespace: optional(text())}),
  judge({nodes, selector: words, namespace}, referee) {
    const parsed = parseSelector(words);
    const fits = requirementsMatcher('error' in parsed ? [] : parsed.requirements);
    const pattern = new RegExp(
      `^${nodes
        .split('*')
        .map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')}$`,
    );
    const found = (referee.all(pods, namespace) as readonly Pod[]).find(
      pod => pod.spec.nodeName !== undefined && pattern.test(pod.spec.nodeName) && fits(pod.metadata.labels),
    );
    return {met: found !== undefined, note: found ? `${found.metadata.name} on ${found.spec.nodeName}` : `none on ${nodes}`};
  },
};
