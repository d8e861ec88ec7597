// The words of busybox: its small programs do as their larger cousins do, and complain in other words. What a program says on
// its standard error is put into them line by line.
import type {Program} from '../../sim/process/machine.ts';
import type {Stream} from '../../sim/process/streams.ts';

const NAME = String.raw`([\w.-]+): `;
const FILE = String.raw`['‘](.*?)['’]`;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${NAME}cannot (?:touch|access|statx?) ${FILE}: (.*)$`), '$1: $2: $3'],
  [new RegExp(`^${NAME}changing (?:ownership|permissions) of ${FILE}: (.*)$`), '$1: $2: $3'],
  [new RegExp(`^(mkdir): cannot create directory ${FILE}: (.*)$`), "$1: can't create directory '$2': $3"],
  [new RegExp(`^(rm): cannot remove ${FILE}: Is a directory$`), "$1: '$2' is a directory"],
  [new RegExp(`^(rm): cannot remove ${FILE}: (.*)$`), "$1: can't remove '$2': $3"],
  [new RegExp(`^(rmdir): failed to remove ${FILE}: (.*)$`), "$1: '$2': $3"],
  [new RegExp(`^(mv): cannot move ${FILE} to ${FILE}: (.*)$`), "$1: can't rename '$2': $4"],
  [new RegExp(`^(cp): cannot create (?:regular file|directory) ${FILE}: (.*)$`), "$1: can't create '$2': $3"],
  [new RegExp(`^(ln): failed to create (?:hard|symbolic) link ${FILE}(?:.*?): (.*)$`), '$1: $2: $3'],
  [
    /^(cat|tail|wc|cut|sort|uniq|md5sum|sha256sum): (?!can't )(?:cannot open )?'?([^':]+)'?(?: for reading)?: (No such file or directory|Permission denied)$/,
    "$1: can't open '$2': $3",
  ],
  [/^Connection to (\S+) \((\S+)\) (\d+) port \[.*\] succeeded!$/, '$1 ($2:$3) open'],
  [/^nc: connect to (\S+) \((\S+)\) port (\d+) \(tcp\) failed: (.*)$/, 'nc: $1 ($2:$3): $4'],
  [/^nc: getaddrinfo for host "(.*)" port \d+: .*$/, "nc: bad address '$1'"],
  [/^ping: (\S+): Name or service not known$/, "ping: bad address '$1'"],
  [/^(whoami): cannot find name for user ID (\d+)$/, '$1: unknown uid $2'],
  [/^(head): cannot open '([^']+)' for reading: (.*)$/, '$1: $2: $3'],
];
const COPY = new RegExp(`^(cp|mv): cannot stat ${FILE}: (.*)$`);

/** One line as busybox writes it. */
export function busyboxLine(line: string): string {
  const copied = COPY.exec(line);
  if (copied)
    return copied[1] === 'cp' ? `cp: can't stat '${copied[2]}': ${copied[3]}` : `mv: can't rename '${copied[2]}': ${copied[3]}`;
  for (const [pattern, words] of WORDS) if (pattern.test(line)) return line.replace(pattern, words);
  return line;
}

function rewording(inner: Stream): Stream {
  return {
    read: () => inner.read(),
    unread: text => inner.unread(text),
    write: text => inner.write(text.split('\n').map(busyboxLine).join('\n')),
    onChange: changed => inner.onChange(changed),
    share: () => inner.share(),
    close: () => inner.close(),
    isTerminal: inner.isTerminal,
    ...(inner.terminal ? {terminal: inner.terminal} : {}),
  };
}

/** A program as busybox has it. */
export function asBusybox(program: Program): Program {
  return process => {
    const errors = process.streams.get(2);
    if (errors) process.streams.set(2, rewording(errors));
    return program(process);
  };
}
