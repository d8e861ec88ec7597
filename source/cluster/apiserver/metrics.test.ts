// /metrics, as a monitoring system reads it.
import {expect, test} from 'vitest';
import {ServerRoom} from './testing/server-room.ts';

function metrics(room: ServerRoom): string {
  return String(room.get('/metrics').body);
}

test('requests are counted by what they are about and how they ended', () => {
  const room = new ServerRoom();
  const map = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'conf'}};
  room.post('/api/v1/namespaces/default/configmaps', map);
  room.post('/api/v1/namespaces/default/configmaps', map);
  room.get('/api/v1/namespaces/default/configmaps/none');
  const told = metrics(room);
  const about = (code: number, verb: string, scope: string) =>
    `apiserver_request_total{code="${code}",component="apiserver",dry_run="",group="",resource="configmaps",scope="${scope}",subresource="",verb="${verb}",version="v1"} 1\n`;
  expect(told).toContain(about(201, 'POST', 'namespace'));
  expect(told).toContain(about(409, 'POST', 'namespace'));
  expect(told).toContain(about(404, 'GET', 'resource'));
  expect(told).toMatch(/^apiserver_storage_objects\{resource="configmaps"\} [1-9]/m);
});

test('watches that are open are counted as long as they are', () => {
  const room = new ServerRoom();
  const {caller} = room.watch('/api/v1/configmaps');
  while (room.clock.now < 50 && room.clock.step());
  const open =
    'apiserver_longrunning_requests{component="apiserver",group="",resource="configmaps",subresource="",verb="WATCH",version="v1"} 1\n';
  expect(metrics(room)).toContain(open);
  caller.cancel();
  expect(metrics(room)).not.toContain(open);
});

test('buckets hold all that are shorter, and quotes in names stay inside', () => {
  const room = new ServerRoom();
  room.get('/apis/apps/v1/"odd"');
  const told = metrics(room);
  expect(told).toContain('resource="\\"odd\\""');
  const counts = [...told.matchAll(/_bucket\{[^}]*resource="\\"odd\\""[^}]*le="([^"]+)"\} (\d+)/g)];
  expect(counts.at(-1)?.slice(1)).toEqual(['+Inf', '1']);
  const numbers = counts.map(([, , count]) => Number(count));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});
