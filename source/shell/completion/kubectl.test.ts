import {expect, test} from 'vitest';
import {kubectlWords} from './kubectl.ts';

test.each([
  ['words, and no files', ['get', 'po'], 'pods\npodtemplates\n:4\n', {words: ['pods', 'podtemplates'], files: false}],
  ['files where it knows nothing', ['apply', 'x'], ':0\n', {words: [], files: true}],
  ['files by their endings', ['apply', '-f', ''], 'json\nyaml\n:8\n', {words: [], files: ['json', 'yaml']}],
  ['a value behind its flag', ['get', '--output=j'], 'json\n:4\n', {words: ['--output=json'], files: false}],
  ['files where it cannot be asked', ['x'], '', {words: [], files: true}],
])('%s', async (_, words, said, known) => {
  expect(await kubectlWords(words, async asked => (asked[1] === '__completeNoDesc' ? said : 'nonsense'))).toEqual(known);
});
