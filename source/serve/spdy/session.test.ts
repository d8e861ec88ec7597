import {expect, test, vi} from 'vitest';
import {DICTIONARY} from './dictionary.ts';
import {Packer, Unpacker} from './headers.ts';
import {SpdySession, type SpdyStream} from './session.ts';

/** Headers are unpacked by zlib in its own time. */
const soon = (check: () => void) => vi.waitFor(check, {timeout: 10_000, interval: 5});

function control(kind: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.from([0x80, 3, 0, kind, flags, 0, 0, 0]);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function data(id: number, text: string, flags = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(id);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(text.length, 5, 3);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function opening(packer: Packer, id: number, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  const head = Buffer.alloc(10);
  head.writeUInt32BE(id);
  return control(1, Buffer.concat([head, await packer.pack(new Map(Object.entries(headers)))]));
}

function session() {
  const streams: SpdyStream[] = [];
  const written: Buffer[] = [];
  const heard: string[] = [];
  let closed = 0;
  const made = new SpdySession({
    write: bytes => void written.push(bytes),
    opened: stream => {
      streams.push(stream);
      stream.onData = part => void heard.push(`${stream.id} ${part.toString()}`);
      stream.onEnd = () => void heard.push(`${stream.id} end`);
    },
    closed: () => closed++,
  });
  return {made, streams, written, heard, ended: () => closed};
}

test('the dictionary is that of the protocol: its sum is in every packed block', () => {
  let [a, b] = [1, 0];
  for (const byte of DICTIONARY) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  expect([DICTIONARY.length, b * 65_536 + a]).toEqual([1423, 0xe3c6a7c2]);
});

test('headers of a connection are packed by one stream, so the second block leans on the first', async () => {
  const packer = new Packer();
  const unpacker = new Unpacker();
  const headers = new Map([
    ['streamtype', 'data'],
    ['port', '80'],
  ]);
  const first = await packer.pack(headers);
  const second = await packer.pack(headers);
  expect(second.length).toBeLessThan(first.length);
  expect(await unpacker.unpack(first)).toEqual(headers);
  expect(await unpacker.unpack(second)).toEqual(headers);
});

test('streams are opened, filled and ended in order, however the bytes are cut', async () => {
  const {made, streams, written, heard} = session();
  const packer = new Packer();
  const bytes = Buffer.concat([
    await opening(packer, 1, {streamtype: 'error', port: '80'}),
    await opening(packer, 3, {streamtype: 'data', port: '80'}),
    data(3, 'hello'),
    data(1, '', 1),
    data(3, ' there', 1),
  ]);
  for (let at = 0; at < bytes.length; at += 7) made.take(bytes.subarray(at, at + 7));
  await soon(() => expect(heard).toHaveLength(4));
  expect(streams.map(({headers}) => headers.get('streamtype'))).toEqual(['error', 'data']);
  expect(heard).toEqual(['3 hello', '1 end', '3  there', '3 end']);
  expect(written.map(frame => frame.readUInt16BE(2))).toEqual([2, 2]);
  streams[1]?.write(Buffer.from('back'));
  streams[1]?.end();
  expect(written.slice(2)).toEqual([data(3, 'back'), data(3, '', 1)]);
});

test('a ping comes back', async () => {
  const {made, written} = session();
  const ping = control(6, Buffer.from([0, 0, 0, 1]));
  made.take(ping);
  await soon(() => expect(written).toEqual([ping]));
});

test.each([
  ['another version', Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])],
  ['a frame without measure', Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff])],
  ['headers that are no zlib', control(1, Buffer.concat([Buffer.alloc(10), Buffer.alloc(40, 0xee)]))],
  ['a stream without headers', control(1, Buffer.alloc(3))],
])('%s ends the session, and nothing else', async (_name, bytes) => {
  const {made, ended} = session();
  made.take(bytes);
  await soon(() => expect(ended()).toBe(1));
});
