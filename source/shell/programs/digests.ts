// `base64`, and the sums of files. Texts are bytes in UTF-8.
import {createHash} from 'node:crypto';
import type {Program} from '../../sim/process/machine.ts';
import {makeProgram} from './arguments.ts';
import {closeInput, openInput, readWhole} from './input.ts';
import {complain} from './output.ts';
import {bytesOf, fromBase64, textOf, toBase64} from '../text/bytes.ts';

/** `base64 [-d] [-i] [-w columns] [file]` */
export const base64 = makeProgram(
  {
    name: 'base64',
    synopsis: '[OPTION]... [FILE]',
    summary: 'Base64 encode or decode FILE, or standard input, to standard output.',
    letters: 'diw:D',
    long: {decode: 'd', 'ignore-garbage': 'i', wrap: 'w'},
  },
  async (process, given) => {
    const input = await openInput(process, given.operands[0] ?? '-', 'base64');
    if (!input) return 1;
    const text = await readWhole(process, input.fd);
    closeInput(process, input);
    if (given.has('d') || given.has('D')) {
      const letters = text.replace(given.has('i') ? /[^A-Za-z0-9+/=]/g : /\n/g, '');
      const good = /^[A-Za-z0-9+/]*={0,2}/.exec(letters)?.[0] ?? '';
      await process.out(textOf(fromBase64(good)));
      return good === letters && letters.length % 4 === 0 ? 0 : complain(process, 'base64: invalid input');
    }
    const columns = Number(given.value('w') ?? 76);
    const encoded = toBase64(bytesOf(text));
    if (columns === 0) await process.out(encoded);
    else await process.out(encoded.replace(new RegExp(`.{1,${columns}}`, 'g'), line => `${line}\n`));
    return 0;
  },
);

function digest(name: string, algorithm: string): Program {
  const sum = (bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');
  return makeProgram(
    {
      name,
      synopsis: '[OPTION]... [FILE]...',
      summary: 'Print or check checksums.',
      letters: 'bct',
      long: {binary: 'b', check: 'c', text: 't', status: 's'},
    },
    async (process, given) => {
      let status = 0;
      for (const file of given.operands.length === 0 ? ['-'] : given.operands) {
        const input = await openInput(process, file, name);
        if (!input) {
          status = 1;
          continue;
        }
        const text = await readWhole(process, input.fd);
        closeInput(process, input);
        if (given.has('c')) status = (await check(text)) || status;
        else await process.out(`${sum(bytesOf(text))}  ${file}\n`);
      }
      return status;

      async function check(list: string): Promise<number> {
        let wrong = 0;
        for (const line of list.split('\n')) {
          const match = /^([0-9a-f]+) [ *](.*)$/.exec(line);
          if (!match) continue;
          const content = process.machine.files.read(process.path(match[2] ?? ''));
          const isFine = content !== undefined && sum(bytesOf(content)) === match[1];
          if (!isFine) wrong++;
          await process.out(`${match[2]}: ${isFine ? 'OK' : content === undefined ? 'FAILED open or read' : 'FAILED'}\n`);
        }
        if (wrong > 0) await process.err(`${name}: WARNING: ${wrong} computed checksum${wrong === 1 ? '' : 's'} did NOT match\n`);
        return wrong > 0 ? 1 : 0;
      }
    },
  );
}

export const md5sum = digest('md5sum', 'md5');
export const sha1sum = digest('sha1sum', 'sha1');
export const sha256sum = digest('sha256sum', 'sha256');
export const sha512sum = digest('sha512sum', 'sha512');
