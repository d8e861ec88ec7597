// Scripts that ask for too much: each ends with a clear error or goes on with bounded work, and none of them takes the game down.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Laptop, Session} from './testing/laptop.ts';

const run = (script: string, limitMs = 600_000) => new Laptop().bash(script, limitMs);

test.each([
  ['an endless producer whose reader leaves', 'yes | head -n 100000 | wc -l', '100000\n', ''],
  ['a device without an end', 'cat /dev/zero | head -c 100 | wc -c', '100\n', ''],
  ['a loop that nothing ends but a signal', 'while :; do :; done & sleep 1; kill $!; wait $!; echo $?', '143\n', ''],
  ['an endless script of sed', "timeout 1 sed ':a;ba' <<< x; echo $?", '124\n', ''],
  ['an array without end', "awk 'BEGIN{while(1)a[i++]=i}'", '', 'awk: out of memory\n'],
  ['a text without end', 'awk \'BEGIN{s="x"; while(1)s=s s}\'', '', 'awk: out of memory\n'],
  ['an endless program of awk', "timeout 1 awk 'BEGIN{while(1);}'; echo $?", '124\n', ''],
  ['a disk that fills', 'yes > flood; wc -l < flood | grep -c .', '1\n', 'yes: standard output: No space left on device\n'],
  [
    'a range of braces that would fill the memory',
    'echo {1..10000000} | wc -c',
    '0\n',
    "bash: line 1: brace expansion: failed to allocate memory for `10000000' elements\n",
  ],
  [
    'a text that doubles',
    'x=1; for i in {1..40}; do x=$x$x; done',
    '',
    'bash: line 1: xrealloc: cannot allocate 33554432 bytes\n',
  ],
  [
    'a function that calls itself',
    'f() { f; }; f',
    '',
    'environment: line 1: f: maximum function nesting level exceeded (2000)\n',
  ],
  ['a pattern of catastrophe', "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! | grep -cE '^(a+)+$'", '0\n', ''],
  [
    'a pattern of catastrophe that must go back',
    "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! | grep -P '^(a+)+$'",
    '',
    "grep: (standard input): exceeded PCRE's backtracking limit\n",
  ],
  ['a glob of catastrophe', "x=$(printf 'a%.0s' {1..2000}); [[ $x == *a*a*a*a*a*a*a*b ]]; echo $?", '1\n', ''],
  ['a repetition that is too big', "grep -E 'a{1,30000}{1,30000}' <<< x", '', 'grep: Regular expression too big\n'],
  ['links in a circle', 'ln -s a b; ln -s b a; cat a', '', 'cat: a: Too many levels of symbolic links\n'],
  [
    'thousands of groups in an expression',
    `grep -E "$(printf '(%.0s' {1..5000})" <<< x`,
    '',
    'grep: Regular expression too big\n',
  ],
  [
    'thousands of parentheses in arithmetic',
    `echo $(( $(printf '(%.0s' {1..90000})1$(printf ')%.0s' {1..90000}) ))`,
    '',
    'bash: line 1: expression recursion level exceeded\n',
  ],
  [
    'thousands of commands within each other',
    `eval "$(printf '{ %.0s' {1..4000}) echo $(printf '; }%.0s' {1..4000})"`,
    '',
    'bash: eval: line 1: syntax error: commands are too deeply nested\n',
  ],
  ['a line of many characters', "head -c 300000 /dev/zero | tr '\\0' x | sed 's/x$/y/' | tail -c 1", 'y', ''],
])('%s', async (_, script, out, err) => {
  const outcome = await run(script);
  expect({out: outcome.out, err: outcome.err}).toEqual({out, err});
  expect(outcome.code).toBeDefined();
});

test('a fork bomb is bounded by the processes of its machine, and dies with them', async () => {
  const laptop = new Laptop({processLimit: 60});
  const texts: string[] = [];
  laptop.start(['bash', '-c', ':(){ :|:& };:'], (_, text) => texts.push(text));
  for (let step = 0; step < 20; step++) await laptop.kernel.advance(laptop.clock.now + 500);
  expect(laptop.kernel.processes.size).toBeLessThanOrEqual(60);
  laptop.kernel.killAll(laptop.machine);
  await laptop.kernel.advance(laptop.clock.now + 1000);
  expect(laptop.kernel.processes.size).toBe(0);
});

test('^C ends a flood of output, and the shell lives on', async () => {
  const session = new Session();
  await session.pass(100);
  await session.type('yes | cat', 50);
  session.take();
  session.terminal.interrupt();
  await session.pass(200);
  session.take();
  await session.type('echo $?; echo alive');
  expect(session.take()).toContain('130\nalive\n');
});

test('what one program prints flows to the next while it runs', async () => {
  const laptop = new Laptop();
  const seen: [string, number][] = [];
  const script = "(echo a; sleep 1; echo b; sleep 1; echo c) | sed 's/$/!/' | grep --line-buffered . | cat";
  laptop.start(['bash', '-c', script], (_, text) => seen.push([text, Math.floor(laptop.clock.now / 1000)]));
  await laptop.kernel.advance(laptop.clock.now + 5000);
  expect(seen).toEqual([
    ['a!\n', 0],
    ['b!\n', 1],
    ['c!\n', 2],
  ]);
});

/** Pieces that scripts are made of, put together at random: what comes out is often wrong, and must never be more than wrong. */
const PIECES = [
  'echo',
  'x=1',
  '$x',
  '"$x"',
  "'",
  '"',
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  ';',
  '&',
  '|',
  '&&',
  '||',
  '\n',
  ' ',
  'if',
  'then',
  'fi',
  'for i in',
  'do',
  'done',
  'while',
  'case',
  'in',
  'esac',
  ';;',
  '[[',
  ']]',
  '((',
  '))',
  '$((',
  '${',
  '${x:',
  '//',
  '<<E',
  '<<<',
  '>f',
  '<f',
  '2>&1',
  '*',
  '[a-',
  '\\',
  'a{1..3}',
  '{a,b',
  '!',
  '#',
  '~',
  'select x in',
  'coproc',
  'trap',
  'local',
  'read y',
  'exec 3<',
  'eval',
  'true',
  'false',
  'break',
  'return',
  'exit 3',
  'set -e',
  'shopt -s extglob',
  '@(a|b)',
  'f()',
  '=~',
  'wait',
  "sed 's/a/b/'",
  'sed',
  'diff - f',
  "grep -E '(a'",
  'printf %d',
  'declare -A',
  'a[1]=',
  'unset',
  '-n',
  '+=',
  '=(',
  'kill -0 $$',
];
const piece = fc.constantFrom(...PIECES);

test('no script takes the interpreter down', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, {minLength: 1, maxLength: 14}), fc.boolean(), async (pieces, spaced) => {
      const outcome = await new Laptop({processLimit: 40}).bash(pieces.join(spaced ? ' ' : ''), 20_000, 'a\nb\n');
      expect(outcome.err).not.toContain('internal error');
      expect(outcome.code).not.toBe(134);
    }),
    {numRuns: 300, seed: 7},
  );
});
