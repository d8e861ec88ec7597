import {expect, test} from 'vitest';
import {Bench} from '../testing/bench.ts';

/** What `__completeNoDesc` answers; the last word of the line is what is begun. */
async function complete(line: string): Promise<string> {
  const bench = new Bench();
  for (const name of ['web-1', 'web-2', 'db'])
    bench.api.put({apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec: {containers: [{name: 'main'}, {name: 'side'}]}});
  bench.api.put({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'far', namespace: 'shop'}, spec: {containers: []}});
  for (const name of ['default', 'shop']) bench.api.put({apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
  bench.api.put({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'web'}, spec: {}});
  const {out} = await bench.run(['__completeNoDesc', ...line.split(' ')]);
  return out.trim().split('\n').join(' ');
}

test.each([
  ['desc', 'describe :4'],
  ['rollout re', 'restart resume :4'],
  ['get deploym', 'deployments.apps :4'],
  ['get pods,deploym', 'pods,deployments.apps :4'],
  ['get pods we', 'web-1 web-2 :4'],
  ['get pods web-1 we', 'web-2 :4'],
  ['describe pod/we', 'pod/web-1 pod/web-2 :4'],
  ['-n shop get pods ', 'far :4'],
  ['get pods -n s', 'shop :4'],
  ['logs d', 'db daemonsets/ deployments/ :4'],
  ['logs x', ':6'],
  ['logs deployment/', 'deployment/web :4'],
  ['logs web-1 ', 'main side :4'],
  ['exec web-1 -c ', 'main side :4'],
  ['get pods --show-l', '--show-labels :4'],
  ['get pods --output=w', 'wide :4'],
  ['get pods -o y', 'yaml :4'],
  ['rollout status dep', 'deployment :4'],
  ['config use-context ', 'lab :4'],
  ['apply -f ', 'json yaml yml :8'],
  ['apply -f x ', ':0'],
  ['exec web-1 -- l', ':4'],
  ['scale deploy web ', '--replicas :4'],
  ['get pods --nope=', ':0'],
  ['nope ', ':0'],
])('%s', async (line, answer) => {
  expect(await complete(line)).toBe(answer);
});
