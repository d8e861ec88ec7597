import {expect, test} from 'vitest';
import {Files} from '../../sim/files.ts';
import type {Machine} from '../../sim/process/machine.ts';
import {complete, wordsOf, type Completer} from './complete.ts';

const files = new Files(() => 0);
files.place('/home/nina/web.yaml', '');
files.place('/home/nina/web.log', '');
files.place('/home/nina/notes/one', '');
files.place('/home/nina/.kube/config', '');
const machine = {files, programNames: () => ['cat', 'curl', 'kubectl']} as unknown as Machine;
const kubectl: Completer = async (words, index, ask) => {
  if (index === 1) return {words: ['get', 'describe', 'delete'], files: false};
  if (words[1] === 'get') return {words: (await ask(['names'])).split(' '), files: false};
  return {words: [], files: words.at(-2) === '-f' ? ['yaml', 'json'] : true};
};

function tab(line: string) {
  const completers = new Map([['kubectl', kubectl]]);
  const environment = new Map([
    ['HOME', '/home/nina'],
    ['USER', 'nina'],
  ]);
  return complete({
    line,
    cursor: [...line].length,
    machine,
    environment,
    folder: '/home/nina',
    completers,
    ask: async () => 'web-1 web-2',
  });
}

test.each([
  ['a command from its first letters', 'ku', 0, ['kubectl']],
  ['commands that begin alike', 'c', 0, ['cat', 'cd', 'curl']],
  ['a word of a program that knows its words', 'kubectl de', 8, ['delete', 'describe']],
  ['a name that only the server knows', 'kubectl get pod web', 16, ['web-1', 'web-2']],
  ['a file where the program knows nothing', 'kubectl cp w', 11, ['web.log', 'web.yaml']],
  ['files of the endings that the program names, and folders', 'kubectl apply -f ', 17, ['notes/', 'web.yaml']],
  ['no file where the program wants none', 'kubectl get pods not', 17, []],
  ['a folder, with a slash', 'cat no', 4, ['notes/']],
  ['a file in a folder', 'cat ~/notes/', 4, ['~/notes/one']],
  ['hidden files only when asked for', 'cat .k', 4, ['.kube/']],
  ['a variable', 'echo $US', 5, ['$USER']],
  ['the command after a pipe', 'cat web.yaml | ku', 15, ['kubectl']],
  ['the command in a substitution', 'echo $(kubectl de', 15, ['delete', 'describe']],
  ['nothing where nothing fits', 'cat zzz', 4, []],
] as const)('%s', async (_, line, start, words) => {
  expect(await tab(line)).toEqual({start, words});
});

test('quotes hold a word together', () => {
  expect(wordsOf("kubectl get 'a b' c")).toEqual(['kubectl', 'get', 'a b', 'c']);
});
