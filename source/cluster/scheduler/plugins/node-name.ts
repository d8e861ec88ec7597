// A pod that names its node never meets the scheduler, so here nothing is ever refused; the plugin keeps its place in the order
// and in configurations.
import type {Plugin, Verdict} from '../framework.ts';

const REFUSED: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match the requested node name"]};

export const nodeName: Plugin = {
  name: 'NodeName',
  preFilter: ({pod}) => (pod.pod.spec.nodeName ? {state: undefined} : 'skip'),
  filter: (_state, {pod}, node) => (pod.spec.nodeName === node.name ? undefined : REFUSED),
  worthRetry: event => event.about === 'node' && event.after !== undefined && event.before === undefined,
};
