import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import type {MouseReport} from '../ui/keys/mouse.ts';
import {Keyboard} from './keyboard.ts';

async function read(...chunks: readonly string[]): Promise<{keys: string; reports: readonly string[]}> {
  const terminal = new PassThrough();
  const reports: string[] = [];
  const moved = ({what, column, row}: MouseReport) => reports.push(`${what} ${column},${row}`);
  const keyboard = new Keyboard(terminal as unknown as NodeJS.ReadStream, moved);
  let keys = '';
  keyboard.on('data', (text: string) => (keys += text));
  for (const chunk of chunks) {
    terminal.write(chunk);
    await new Promise(setImmediate);
  }
  return {keys, reports};
}

test.each([
  ['keys are keys', ['ls\r'], 'ls\r', []],
  ['the wheel and clicks are told apart', ['a\u001B[<64;10;5Mb\u001B[<0;1;1M'], 'ab', ['wheel-up 9,4', 'click 0,0']],
  ['a report in two pieces', ['x\u001B[<6', '5;10;5My'], 'xy', ['wheel-down 9,4']],
  ['letting go and other buttons mean nothing', ['\u001B[<0;10;5m\u001B[<2;1;1M'], '', []],
  ['other sequences pass', ['\u001B[A\u001B'], '\u001B[A\u001B', []],
  ['letters of other alphabets in pieces', ['ü\u001B[<64;1;1Mß'], 'üß', ['wheel-up 0,0']],
] as const)('%s', async (_, chunks, keys, reports) => {
  expect(await read(...chunks)).toEqual({keys, reports});
});
