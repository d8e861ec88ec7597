// All nodes, or those that are named, are Ready.
import type {Node} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {list, optional, record, text} from '../level/reader.ts';
import type {CheckKind} from './check.ts';

const nodes = builtin('nodes');

export const nodesReady: CheckKind<{readonly names?: readonly string[]}> = {
  name: 'nodesReady',
  arguments: record({names: optional(list(text()))}),
  judge({names}, referee) {
    const all = referee.all(nodes) as readonly Node[];
    const wanted = names?.length ?? all.length;
    const counted = names ? all.filter(node => names.includes(node.metadata.name)) : all;
    const ready = counted.filter(node => node.status?.conditions?.some(each => each.type === 'Ready' && each.status === 'True'));
    return {met: wanted > 0 && ready.length === wanted, note: `${ready.length}/${wanted}`};
  },
};
