import {expect, test} from 'vitest';
import {looksOf} from './own-way.ts';

test.each([
  ['kubectl get pods -o wide', ['pod']],
  ['kubectl get deploy,rs,po -n shop', ['deployment', 'replicaset', 'pod']],
  ['kubectl describe pod web-1 | tail -3', ['pod', 'events']],
  ['kubectl -n shop logs deploy/web', ['deployment']],
  ['kubectl logs web-1', ['pod']],
  ['kubectl get endpointslices.discovery.k8s.io; kubectl get svc', ['endpoints']],
  ['ssh cp-1 crictl ps', ['runtime']],
  ['etcdctl member list && journalctl -u kubelet', ['etcd', 'kubelet']],
  ['ls -l', []],
] as const)('%s looks at %j', (line, places) => {
  expect(looksOf(line)).toEqual(places);
});
