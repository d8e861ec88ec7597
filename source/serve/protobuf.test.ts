import {expect, test} from 'vitest';
import {readProtobuf} from './protobuf.ts';

/** A field of bytes. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes]);
}

function envelope(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const head = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, head), field(2, raw), field(3, ''), field(4, '')]);
}

test('what kubectl auth whoami sends: empty fields are absent ones', () => {
  const sent =
    '6b3873000a2d0a1861757468656e7469636174696f6e2e6b38732e696f2f7631121153656c665375626a656374526576696577' +
    '121a0a100a0012001a0022002a0032003800420012060a040a0012001a002200';
  expect(readProtobuf(Buffer.from(sent, 'hex'))).toEqual({kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1'});
});

test('maps, bytes and metadata of a Secret', () => {
  const labels = field(11, Buffer.concat([field(1, 'a'), field(2, 'b')]));
  const data = field(2, Buffer.concat([field(1, 'key'), field(2, Buffer.of(0, 255))]));
  const secret = Buffer.concat([field(1, Buffer.concat([field(1, 's'), labels])), data, field(3, 'Opaque')]);
  expect(readProtobuf(envelope('v1', 'Secret', secret))).toEqual({
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: {name: 's', labels: {a: 'b'}},
    data: {key: 'AP8='},
    type: 'Opaque',
  });
});

test('a zero behind a pointer is kept, a plain one is not; a struct that stands in its place is read into its owner', () => {
  const quota = Buffer.concat([field(1, 'pods'), field(2, field(1, '10'))]);
  const resourceQuota = envelope('v1', 'ResourceQuota', field(2, field(1, quota)));
  expect(readProtobuf(resourceQuota)).toMatchObject({spec: {hard: {pods: '10'}}});
  const spec = Buffer.of(8, 0, 48, 0);
  expect(readProtobuf(envelope('apps/v1', 'Deployment', field(2, spec)))).toMatchObject({
    spec: {replicas: 0, revisionHistoryLimit: 0},
  });
  const volume = Buffer.concat([field(1, 'v'), field(2, field(2, ''))]);
  expect(readProtobuf(envelope('v1', 'Pod', field(2, field(1, volume))))).toMatchObject({
    spec: {volumes: [{name: 'v', emptyDir: {}}]},
  });
});

test('options of a delete come under the name of any group', () => {
  const options = Buffer.concat([Buffer.of(8, 0), field(4, 'Background')]);
  expect(readProtobuf(envelope('apps/v1', 'DeleteOptions', options))).toEqual({
    kind: 'DeleteOptions',
    apiVersion: 'apps/v1',
    gracePeriodSeconds: 0,
    propagationPolicy: 'Background',
  });
});

test.each([
  ['no magic', Buffer.from('hello')],
  ['nothing inside', Buffer.from('k8s\0')],
  ['a kind that nobody knows', envelope('v1', 'Thing', Buffer.of())],
  ['a length past the end', envelope('v1', 'Secret', Buffer.of(10, 200))],
])('%s is no object', (_name, bytes) => {
  expect(readProtobuf(bytes)).toBeUndefined();
});
