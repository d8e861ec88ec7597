import {expect, test} from 'vitest';
import type {Answer, Request} from '../../api/wire/http.ts';
import {parseImage} from '../../api/wire/image-reference.ts';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Network} from '../../sim/network.ts';
import {Trace} from '../../sim/trace.ts';
import {FAMILIES, imageOf} from './catalogue/index.ts';
import {listedTags} from './catalogue/tags.ts';
import {startRegistry} from './registry.ts';

const CATALOGUE = ['1.3', '1.4', '1.5'].map(tag => ({
  image: `registry.local/web:${tag}`,
  size: '40Mi',
  program: {listen: [8080]},
}));

function ask(path: string, secretive = false): Answer {
  const clock = new Clock();
  const network = new Network(clock);
  network.attach('registry', '10.0.0.200');
  network.attach('laptop', '10.0.0.2');
  const daemon = new Daemon('registry', 2, {
    clock,
    trace: new Trace(clock),
    dice: new Dice(1),
    host: 'registry',
    wall: () => 0,
    dial: (host, port, request, receiver) => network.call('10.0.0.200', host, port, request, receiver),
    listen: (port, listener) => network.listen('10.0.0.200', port, listener),
  });
  startRegistry({daemon, name: 'registry.local', catalogue: CATALOGUE, secretive});
  let heard: Answer = {status: 0};
  network.call('10.0.0.2', '10.0.0.200', 443, {method: 'GET', path} satisfies Request, {
    answer: answer => (heard = answer as Answer),
  });
  while (clock.step());
  return heard;
}

test('tags are listed', () => {
  expect(ask('/v2/web/tags/list')).toMatchObject({status: 200, body: {name: 'web', tags: ['1.3', '1.4', '1.5']}});
});

test('a manifest tells of its layers and not of what is in them', () => {
  const {status, body, headers} = ask('/v2/web/manifests/1.4');
  expect(status).toBe(200);
  expect(headers?.['docker-content-digest']).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(JSON.stringify(body)).not.toContain('8080');
  expect(body).toMatchObject({schemaVersion: 2, layers: [{size: 40 * 1024 * 1024}]});
});

test('what is not there: 404, or a secret', () => {
  expect(ask('/v2/web/manifests/1.44')).toMatchObject({status: 404, body: {errors: [{code: 'MANIFEST_UNKNOWN'}]}});
  expect(ask('/v2/wep/manifests/1.4')).toMatchObject({status: 404, body: {errors: [{code: 'NAME_UNKNOWN'}]}});
  expect(ask('/v2/wep/manifests/1.4', true).status).toBe(401);
});

test('every well-known family has a name that can be read, once, and tags that its own rule knows', () => {
  const names = FAMILIES.map(({name}) => parseImage(name)).map(parsed => ('error' in parsed ? parsed.error : parsed.name));
  expect(names.filter(name => name.includes(' '))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const unknown = FAMILIES.flatMap(family =>
    listedTags(family.tags)
      .filter(tag => !imageOf(family, tag))
      .map(tag => `${family.name}:${tag}`),
  );
  expect(unknown).toEqual([]);
});
