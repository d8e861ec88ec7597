// A machine goes down in order: its kubelet is told before, and ends the pods, the critical ones last.
import {expect, test} from 'vitest';
import {bareWorld} from './testing/bare-world.ts';

const CONFIG = '/var/lib/kubelet/config.yaml';
const pod = (name: string, more: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, namespace: 'default'},
  spec: {
    nodeName: 'node-1',
    terminationGracePeriodSeconds: 60,
    containers: [{name: 'c', image: 'busybox', command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done']}],
    ...more,
  },
});

test('before a node goes down its pods end, in groups; it takes no more, and is ready when it is back', async () => {
  const world = await bareWorld('trio', 10_000);
  const on = async (command: string, host = 'cp-1') => {
    const {out, err} = await world.player.run(command, host);
    return (out + err).trim();
  };
  await on(
    `sed -i 's/^shutdownGracePeriod: 0s/shutdownGracePeriod: 30s/; s/^shutdownGracePeriodCriticalPods: 0s/shutdownGracePeriodCriticalPods: 10s/' ${CONFIG} && systemctl restart kubelet`,
    'node-1',
  );
  await world.advance(2000);
  await world.apply(pod('plain', {}) as never);
  await world.apply(pod('needed', {priorityClassName: 'system-node-critical'}) as never);
  await world.apply(pod('short', {terminationGracePeriodSeconds: 2}) as never);
  await world.advance(8000);
  const told = (name: string) => on(`kubectl get pod ${name} -o jsonpath='{.status.phase} {.status.reason} {.status.message}'`);
  expect(await told('plain')).toBe('Running');
  await on('systemctl reboot', 'node-1');
  await world.advance(5000);
  expect(await on(`kubectl get node node-1 -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}'`)).toBe(
    'node is shutting down',
  );
  const TERMINATED = 'Failed Terminated Pod was terminated in response to imminent node shutdown.';
  expect([await told('short'), await told('plain'), await told('needed')]).toEqual([TERMINATED, 'Running', 'Running']);
  await world.apply(pod('late', {}) as never);
  await world.advance(1000);
  expect(await told('late')).toBe('Failed NodeShutdown Pod was rejected: Pod was rejected as the node is shutting down.');
  await world.advance(18_000);
  expect([await told('plain'), await told('needed')]).toEqual([TERMINATED, 'Running']);
  await world.advance(10_000);
  expect(await told('needed')).toBe(TERMINATED);
  expect(await on(`kubectl get pod plain -o jsonpath='{.status.conditions[?(@.type=="DisruptionTarget")].reason}'`)).toBe(
    'TerminationByKubelet',
  );
  expect(await on('kubectl get events --field-selector reason=Shutdown -o custom-columns=M:.message --no-headers')).toBe(
    'Shutdown manager detected shutdown event',
  );
  await world.advance(60_000);
  expect(await on(`kubectl get node node-1 --no-headers | awk '{print $2}'`)).toBe('Ready');
});

test('a shutdown that was planned can be called off; without a word to the kubelet pods just stop', async () => {
  const world = await bareWorld('trio', 10_000);
  const {err} = await world.player.run('shutdown -h +1', 'node-2');
  expect(err).toMatch(/^Shutdown scheduled for Mon 2026-11-30 09:01:\d\d UTC, use 'shutdown -c' to cancel\.\n$/);
  await world.player.run('shutdown -c', 'node-2');
  await world.advance(70_000);
  expect((await world.player.run('ssh -o ConnectTimeout=5 node-2 hostname', 'cp-1')).out).toBe('node-2\n');
  await world.fault('shutdown node-2');
  await world.advance(1000);
  expect((await world.player.run('ssh -o ConnectTimeout=5 node-2 hostname', 'cp-1')).err).toContain('Connection timed out');
});
