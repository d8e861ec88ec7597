// Host ports: one holder of an address, protocol and port on a node.
import type {Plugin, Verdict} from '../framework.ts';
import {portsCollide} from '../state/node-info.ts';
import type {HostPort} from '../state/shape.ts';

const REFUSED: Verdict = {code: 'resolvable', reasons: ["node(s) didn't have free ports for the requested pod ports"]};

export const nodePorts: Plugin<readonly HostPort[]> = {
  name: 'NodePorts',
  preFilter: ({pod}) => (pod.shape.hostPorts.length === 0 ? 'skip' : {state: pod.shape.hostPorts}),
  filter(ports, _pod, node) {
    if (!node.ports) return undefined;
    return ports.some(port => node.hasPort(port)) ? REFUSED : undefined;
  },
  worthRetry(event, {shape}) {
    if (event.about === 'node') return event.after !== undefined && event.before === undefined;
    if (event.about !== 'placed' || !event.before || event.after) return false;
    return event.before.shape.hostPorts.some(freed => shape.hostPorts.some(wanted => portsCollide(freed, wanted)));
  },
};
