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
  ['whoami: cannot find name for user ID 4242', 'whoami: unknown uid 4242'],
  ['Connection to web (10.96.0.7) 80 port [tcp/*] succeeded!', 'web (10.96.0.7:80) open'],
  ['nc: connect to web (10.96.0.7) port 80 (tcp) failed: Connection refused', 'nc: web (10.96.0.7:80): Connection refused'],
  ['nc: getaddrinfo for host "web" port 80: Name or service not known', "nc: bad address 'web'"],
  ['ping: web: Name or service not known', "ping: bad address 'web'"],
  ['something else: with a colon', 'something else: with a colon'],
])('%s', (gnu, small) => expect(busyboxLine(gnu)).toBe(small));
