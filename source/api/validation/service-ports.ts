// The ports of a Service: their names and numbers, those on the nodes, and which of them are the same.
import type {ServicePort, ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, required} from '../meta/field-error.ts';
import {checkLabel, checkPortNumber, checkQualifiedName} from '../meta/names.ts';
import {PROTOCOLS} from './containers.ts';
import {type Errors, portNumberOrName, requiredOneOf, sentences} from './rules.ts';

/** What each port is by itself. */
export function ports(list: readonly ServicePort[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  list.forEach((port, i) => {
    const at = path.index(i);
    if (port.name) {
      sentences(checkLabel(port.name), {path: at.child('name'), value: port.name}, errors);
      if (names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    } else if (list.length > 1) errors.push(required(at.child('name')));
    sentences(checkPortNumber(port.port), {path: at.child('port'), value: port.port}, errors);
    requiredOneOf(port.protocol, {path: at.child('protocol'), of: PROTOCOLS}, errors);
    portNumberOrName(port.targetPort, at.child('targetPort'), errors);
    if (port.appProtocol !== undefined) {
      sentences(checkQualifiedName(port.appProtocol), {path: at.child('appProtocol'), value: port.appProtocol}, errors);
    }
  });
}

/** Ports on the nodes are for Services that are seen from outside, each once. */
export function nodePorts(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const taken = new Set<string>();
  spec.ports?.forEach(({nodePort}, i) => {
    const at = path.index(i).child('nodePort');
    if (nodePort && spec.type === 'ClusterIP') errors.push(forbiddenField(at, "may not be used when `type` is 'ClusterIP'"));
  });
  spec.ports?.forEach(({nodePort, protocol}, i) => {
    if (!nodePort) return;
    const at = path.index(i).child('nodePort');
    if (taken.has(`${protocol}/${nodePort}`)) errors.push(duplicate(at, nodePort));
    taken.add(`${protocol}/${nodePort}`);
  });
}

/** A number and protocol stand once. */
export function duplicatePorts(list: readonly ServicePort[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  list.forEach(({port, protocol}, i) => {
    const key = `${protocol}/${port}`;
    // The value is the server's own struct with all but these two left empty.
    const value = {Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0};
    if (seen.has(key)) errors.push(duplicate(path.index(i), value));
    seen.add(key);
  });
}
