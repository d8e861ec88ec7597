import fc from 'fast-check';
import {expect, test} from 'vitest';
import {byteLength, BytesReader, bytesOfText, textOfBytes} from './bytes-text.ts';

test('any bytes become a text and come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 60}), bytes => {
      const text = textOfBytes(bytes);
      expect([...bytesOfText(text)]).toEqual([...bytes]);
      expect(byteLength(text)).toBe(bytes.length);
    }),
    {numRuns: 2000},
  );
});

test('texts stay what they are', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), text => {
      expect(textOfBytes(Buffer.from(text, 'utf8'))).toBe(text);
      expect(byteLength(text)).toBe(Buffer.byteLength(text, 'utf8'));
    }),
  );
  expect(textOfBytes(Buffer.from('a\uFFFDb', 'utf8'))).toBe('a\uFFFDb');
});

test('bytes in pieces are the same text, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), fc.uint8Array({maxLength: 8}), fc.nat(20), (text, bytes, size) => {
      const all = Buffer.concat([Buffer.from(text, 'utf8'), bytes]);
      const reader = new BytesReader();
      let out = '';
      for (let at = 0; at < all.length; at += size + 1) out += reader.read(all.subarray(at, at + size + 1));
      expect([...bytesOfText(out + reader.end())]).toEqual([...all]);
    }),
  );
});
