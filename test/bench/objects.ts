// Objects that a bench makes many of.
import type {AnyObject} from '../../source/api/meta/object.ts';

/** A pod that nobody schedules. */
export function pod(n: number): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: `web-${n}`, namespace: 'default', labels: {app: 'web'}} as unknown as AnyObject['metadata'],
    // Nobody schedules it: what is measured is the API.
    spec: {schedulingGates: [{name: 'bench.crashloop.dev/held'}], containers: [{name: 'web', image: 'nginx:1.27'}]},
  };
}

/** A small object. */
export function configMap(name: string): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'default'} as unknown as AnyObject['metadata'],
    data: {a: '1'},
  };
}
