import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {unifiedHunks} from './unified-diff.ts';

test('hunks name their lines and keep three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\n';
  expect(unifiedHunks(before, before)).toBe('');
  expect(unifiedHunks('', 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n');
  expect(unifiedHunks(before, before.replace('d', 'D'))).toBe('@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n');
  expect(unifiedHunks(before, before.replace('a\n', ''))).toBe('@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n');
});

test('changes with six equal lines between share a hunk, with seven they do not', () => {
  const lines = ['a', '1', '2', '3', '4', '5', '6', 'b'];
  const text = (some: readonly string[]) => some.map(line => `${line}\n`).join('');
  const changed = (some: readonly string[]) => text(some.map(line => line.replace('a', 'A').replace('b', 'B')));
  expect(unifiedHunks(text(lines), changed(lines)).match(/@@.*@@/g)).toEqual(['@@ -1,8 +1,8 @@']);
  const apart = lines.toSpliced(4, 0, 'x');
  expect(unifiedHunks(text(apart), changed(apart)).match(/@@.*@@/g)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
});

test('an item added to a list of equal looks stands after its neighbour', () => {
  const item = (name: string) => `- name: ${name}\n  kind: x\n`;
  expect(unifiedHunks(item('a') + item('c'), item('a') + item('b') + item('c'))).toBe(
    '@@ -1,4 +1,6 @@\n - name: a\n   kind: x\n+- name: b\n+  kind: x\n - name: c\n   kind: x\n',
  );
});

test('what is taken away and what is added make one text of the other', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.array(fc.constantFrom('a', 'b', 'c')), (left, right) => {
      const text = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');
      const hunks = unifiedHunks(text(left), text(right))
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('@@'));
      const [added, removed] = ['+', '-'].map(sign => hunks.filter(line => line.startsWith(sign)).length);
      expect(left.length - (removed ?? 0) + (added ?? 0)).toBe(right.length);
    }),
  );
});

test.skipIf(!existsSync('/usr/bin/diff'))('as many lines change as diff says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (left, right) => {
      const [a, b] = [join(folder, 'a'), join(folder, 'b')];
      writeFileSync(a, left.map(line => `${line}\n`).join(''));
      writeFileSync(b, right.map(line => `${line}\n`).join(''));
      let real = '';
      try {
        execFileSync('/usr/bin/diff', ['-d', '-u', a, b], {encoding: 'utf8'});
      } catch (error) {
        real = (error as {stdout: string}).stdout;
      }
      const changes = (text: string) => text.split('\n').filter(line => /^[-+](?![-+])/.test(line)).length;
      expect(changes(unifiedHunks(left.map(line => `${line}\n`).join(''), right.map(line => `${line}\n`).join('')))).toBe(
        changes(real),
      );
    }),
    {numRuns: 60},
  );
});
