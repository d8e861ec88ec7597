import {expect, test} from 'vitest';
import {openText, textOf} from '../text-editor.ts';
import {FRESH_VI, type ViText} from './state.ts';
import {pasteVi, pressVi} from './vi.ts';

const NAMES: Readonly<Record<string, string>> = {Esc: 'escape', CR: 'enter', BS: 'backspace', 'C-r': 'ctrl-r', 'C-w': 'ctrl-w'};

/** Keys as vi's own help writes them: `dd`, `<Esc>`, `:wq<CR>`. */
function press(text: string, keys: string): ViText {
  const presses = keys.match(/<(?:Esc|CR|BS|C-r|C-w)>|[^]/gu) ?? [];
  return presses.reduce<ViText>(
    (state, key) => pressVi(state, key.length > 1 ? {name: NAMES[key.slice(1, -1)] ?? '', text: ''} : {name: 'text', text: key}),
    {text: openText(text), vi: FRESH_VI},
  );
}

const ABC = 'a: 1\n  b: two\n  c: 3\n';

test.each([
  ['ix', 'xa: 1\n  b: two\n  c: 3\n'],
  ['ax<Esc>', 'ax: 1\n  b: two\n  c: 3\n'],
  ['A # no<Esc>', 'a: 1 # no\n  b: two\n  c: 3\n'],
  ['jIx<Esc>', 'a: 1\n  xb: two\n  c: 3\n'],
  ['jod: 4<Esc>', 'a: 1\n  b: two\n  d: 4\n  c: 3\n'],
  ['jOd: 4<Esc>', 'a: 1\n  d: 4\n  b: two\n  c: 3\n'],
  ['dd', '  b: two\n  c: 3\n'],
  ['2dd', '  c: 3\n'],
  ['dG', ''],
  ['jdgg', '  c: 3\n'],
  ['jo- d<CR>- e<Esc>', 'a: 1\n  b: two\n  - d\n  - e\n  c: 3\n'],
  ['ddp', '  b: two\na: 1\n  c: 3\n'],
  ['yyp', 'a: 1\na: 1\n  b: two\n  c: 3\n'],
  ['yyjP', 'a: 1\na: 1\n  b: two\n  c: 3\n'],
  ['jyyG2p', 'a: 1\n  b: two\n  c: 3\n  b: two\n  b: two\n'],
  ['ddddu', '  b: two\n  c: 3\n'],
  ['dddduu<C-r>', '  b: two\n  c: 3\n'],
  ['ihello<Esc>u', ABC],
  ['x', ': 1\n  b: two\n  c: 3\n'],
  ['3x.', '\n  b: two\n  c: 3\n'],
  ['r-', '-: 1\n  b: two\n  c: 3\n'],
  ['wr=', 'a= 1\n  b: two\n  c: 3\n'],
  ['jwcwfour<Esc>', 'a: 1\n  four: two\n  c: 3\n'],
  ['j$ciwfour<Esc>', 'a: 1\n  b: four\n  c: 3\n'],
  ['j$bcwfour<Esc>j0.', 'a: 1\n  b: four\nfourc: 3\n'],
  ['jwdw', 'a: 1\n  : two\n  c: 3\n'],
  ['$dw', 'a: \n  b: two\n  c: 3\n'],
  ['jf:D', 'a: 1\n  b\n  c: 3\n'],
  ['jf:C = 2<Esc>', 'a: 1\n  b = 2\n  c: 3\n'],
  ['jccx: 9<Esc>', 'a: 1\n  x: 9\n  c: 3\n'],
  ['dt1', '1\n  b: two\n  c: 3\n'],
  ['J', 'a: 1 b: two\n  c: 3\n'],
  ['j>>', 'a: 1\n    b: two\n  c: 3\n'],
  ['jVj>', 'a: 1\n    b: two\n    c: 3\n'],
  ['jVj<', 'a: 1\nb: two\nc: 3\n'],
  ['Vjd', '  c: 3\n'],
  ['jwvey$p', 'a: 1\n  b: twob:\n  c: 3\n'],
  ['~', 'A: 1\n  b: two\n  c: 3\n'],
  ['/two<CR>cwsix<Esc>', 'a: 1\n  b: six\n  c: 3\n'],
  ['/[0-9]<CR>nx', 'a: 1\n  b: two\n  c: \n'],
  ['/[0-9]<CR>nNx', 'a: \n  b: two\n  c: 3\n'],
  [':%s/[0-9]/N/g<CR>', 'a: N\n  b: two\n  c: N\n'],
  [':s/1/7/<CR>', 'a: 7\n  b: two\n  c: 3\n'],
  [':2,3s/^  /- /<CR>', 'a: 1\n- b: two\n- c: 3\n'],
  [String.raw`:%s#\([a-z]\): \(.*\)#\2=\1#<CR>`, '1=a\n  two=b\n  3=c\n'],
  [':%s/ //g<CR>u', ABC],
  [':2d<CR>', 'a: 1\n  c: 3\n'],
  [':$<CR>x', 'a: 1\n  b: two\n c: 3\n'],
  ['3Gdd', 'a: 1\n  b: two\n'],
  ['Ggg0x', ': 1\n  b: two\n  c: 3\n'],
  [':set paste<CR>joz<Esc>', 'a: 1\n  b: two\nz\n  c: 3\n'],
  ['ione two<C-w>x<Esc>', 'one xa: 1\n  b: two\n  c: 3\n'],
  ['dwu:e!<CR>', ABC],
  ['i<CR><Esc>', '\na: 1\n  b: two\n  c: 3\n'],
] as const)('%s', (keys, text) => {
  expect(textOf(press(ABC, keys).text)).toBe(text);
});

test.each([
  ['"abc"', 'f"ci"x<Esc>', '"x"'],
  ['{a: {b: 1}}', '%x', '{a: {b: 1}'],
  ['f(a, b)', 'fadi(', 'f()'],
  ['one two three', 'wdaw', 'one three'],
  ['one two three', '2dw', 'three'],
  ['one two three', '$dB', 'one two e'],
] as const)('in %j, %s', (text, keys, then) => {
  expect(textOf(press(text, keys).text)).toBe(`${then}\n`);
});

test.each([
  [':w<CR>', {wish: 'write', force: false}],
  [':wq<CR>', {wish: 'save', force: false}],
  [':wq!<CR>', {wish: 'save', force: true}],
  [':x<CR>', {wish: 'save', force: false}],
  ['ZZ', {wish: 'save', force: false}],
  [':q<CR>', {wish: 'leave', force: false}],
  ['x:q!<CR>', {wish: 'leave', force: true}],
  ['ZQ', {wish: 'leave', force: true}],
  ['<Esc>', {wish: 'leave', force: false}],
  ['ix<Esc>', undefined],
  ['d<Esc>', undefined],
  [':wq<Esc>', undefined],
  [':<BS>', undefined],
  [':2<CR>', undefined],
] as const)('%s wants to go', (keys, wish) => {
  expect(press(ABC, keys).wish).toEqual(wish);
});

test.each([
  [':foo<CR>', 'E492: Not an editor command: foo'],
  ['/nowhere<CR>', 'E486: Pattern not found: nowhere'],
  [':set nonsense<CR>', 'E518: Unknown option: nonsense'],
  [':%s/o/0/g<CR>', '1 substitution on 1 line'],
  ['u', 'Already at oldest change'],
  [':set sw=2 ts=2 et nu<CR>', ''],
  ['q', expect.stringContaining('i types text')],
] as const)('%s says', (keys, message) => {
  expect(press(ABC, keys).vi.message).toEqual(message);
});

test('a paste goes in as it is, in every mode', () => {
  const pasted = '  x:\n    - y\n';
  for (const keys of ['', 'i', 'd']) expect(textOf(pasteVi(press('a\n', keys), pasted).text)).toBe('  x:\n    - y\na\n');
});

test('letters that come at once are the same as one by one', () => {
  const atOnce = pressVi({text: openText(ABC), vi: FRESH_VI}, {name: 'text', text: 'jddihello'});
  expect(textOf(atOnce.text)).toBe('a: 1\n  helloc: 3\n');
});
