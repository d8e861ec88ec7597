// What small images complain of.
import {expect, test} from 'vitest';
import {busyboxLine} from './words.ts';

test.each([
  ["touch: cannot touch '/in/x': Read-only file system", 'touch: /in/x: Read-only file system'],
  ["ls: cannot access '/nope': No such file or directory", 'ls: /nope: No such file or directory'],
  ['cat: /tmp/ready: No such file or directory', "cat: can't open '/tmp/ready': No such file or directory"],
  ["tail: cannot open '/a' for reading: No such file or directory", "tail: can't open '/a': No such file or directory"],
  ["rm: cannot remove 'x': No such file or directory", "rm: can't remove 'x': No such file or directory"],
  ["cp: cannot stat 'x': No such file or directory", "cp: can't stat 'x': No such file or directory"],
  [
    "mkdir: cannot create directory '/a/b': No such file or directory",
    "mkdir: can't create directory '/a/b': No such file or directory",
  ],
  ["chown: changing ownership of 'x': Operation not permitted", 'chown: x: Operation not permitted'],
  ['something else: with a colon', 'something else: with a colon'],
])('%s', (gnu, small) => expect(busyboxLine(gnu)).toBe(small));
