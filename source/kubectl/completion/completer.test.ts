import {expect, test} from 'vitest';
import {Bench} from '../testing/bench.ts';
import {kubectlCompleter} from './completer.ts';

async function complete(line: string): Promise<readonly string[]> {
  const bench = new Bench();
  for (const name of ['web-1', 'web-2', 'db'])
    bench.api.put({apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec: {containers: [{name: 'main'}, {name: 'side'}]}});
  bench.api.put({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'far', namespace: 'shop'}, spec: {containers: []}});
  for (const name of ['default', 'shop']) bench.api.put({apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
  bench.api.put({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'web'}, spec: {}});
  const words = line.split(' ');
  return kubectlCompleter(words, words.length - 1, async asked => (await bench.run(asked)).out);
}

test.each([
  ['kubectl desc', ['describe']],
  ['kubectl rollout re', ['restart', 'resume']],
  ['kubectl get deploym', ['deployments']],
  ['kubectl get pods,deploym', ['pods,deployments']],
  ['kubectl get pods we', ['web-1', 'web-2']],
  ['kubectl describe pod/we', ['pod/web-1', 'pod/web-2']],
  ['kubectl -n shop get pods ', ['far']],
  ['kubectl get pods -n s', ['shop']],
  ['kubectl logs d', ['daemonset/', 'db', 'deployment/']],
  ['kubectl logs deployment/', ['deployment/web']],
  ['kubectl logs web-1 -c ', ['main', 'side']],
  ['kubectl get pods --show-l', ['--show-labels']],
  ['kubectl get pods --outp', ['--output-watch-events', '--output=']],
  ['kubectl get pods --output=w', ['--output=wide']],
  ['kubectl get pods -o y', ['yaml']],
  ['kubectl rollout status dep', ['deployment']],
  ['kubectl config use-context ', ['lab']],
  ['kubectl apply -f ', []],
  ['kubectl exec web-1 -- l', []],
])('%s is completed', async (line, words) => {
  expect(await complete(line)).toEqual(words);
});
