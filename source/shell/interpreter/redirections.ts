// Redirections: `>`, `>>`, `<`, `2>&1`, `&>`, here-documents and here-strings. They hold for one command; `exec` makes them stay.
import {openToRead, openToWrite} from '../../sim/process/open.ts';
import type {Stream} from '../../sim/process/streams.ts';
import {textStream} from '../../sim/process/streams.ts';
import {expandText, expandWords} from '../expansion/words.ts';
import {assign} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {serializeWord} from '../syntax/text.ts';
import type {Redirection, WordNode} from '../syntax/tree.ts';

/** The streams that hold while redirections do, and those of them to be closed afterwards. */
export interface Redirected {
  readonly streams: Map<number, Stream>;
  readonly opened: Stream[];
}

/** Runs `body` with redirections; `stays` leaves them as they are, as in a subshell. */
export function* withRedirections(
  shell: Shell,
  redirections: readonly Redirection[],
  body: () => Steps<number>,
  stays = false,
): Steps<number> {
  if (redirections.length === 0) return yield* body();
  const before = shell.process.streams;
  const redirected = yield* redirect(shell, redirections);
  if (!redirected) return 1;
  shell.process.streams = redirected.streams;
  const status = yield* body();
  if (!stays && shell.process.streams === redirected.streams) {
    shell.process.streams = before;
    for (const stream of redirected.opened) stream.close();
  }
  return status;
}

/** Opens what redirections name; undefined after an error, which is told. */
export function* redirect(shell: Shell, redirections: readonly Redirection[]): Steps<Redirected | undefined> {
  const redirected: Redirected = {streams: new Map(shell.process.streams), opened: []};
  const own = shell.process.streams;
  for (const redirection of redirections) {
    shell.process.streams = redirected.streams;
    const words = yield* apply(shell, redirection, redirected);
    shell.process.streams = own;
    if (words === undefined && !shell.unwind) continue;
    if (words !== undefined && words !== '') yield* shell.complain(words);
    for (const stream of redirected.opened) stream.close();
    return undefined;
  }
  return redirected;
}

/** Applies one; words when that cannot be. */
function* apply(shell: Shell, redirection: Redirection, to: Redirected): Steps<string | undefined> {
  const {operator, target} = redirection;
  const usual = operator.startsWith('<') ? 0 : 1;
  const fd = redirection.fdVariable ? yield* chooseDescriptor(shell, redirection.fdVariable, to) : (redirection.fd ?? usual);
  if (target.type === 'HereDoc') {
    const text = yield* expandText(shell, target.stripTabs ? withoutTabs(target.content) : target.content);
    return put(to, fd, textStream(text));
  }
  if (operator === '<<<') return put(to, fd, textStream(`${yield* expandText(shell, target)}\n`));
  const name = yield* targetName(shell, target);
  if (name === undefined) return shell.unwind ? '' : `${serializeWord(target)}: ambiguous redirect`;
  if (operator === '>&' || operator === '<&') {
    if (redirection.fd === null && operator === '>&' && !/^(\d+-?|-)$/.test(name))
      return openBoth(shell, to, {name, mode: 'truncate'});
    return duplicate(to, fd, name);
  }
  if (operator === '&>' || operator === '&>>')
    return openBoth(shell, to, {name, mode: operator === '&>' ? 'truncate' : 'append'});
  return open(shell, to, {operator, fd, name});
}

const stripped = new WeakMap<WordNode, WordNode>();

/** The body of `<<-`: tabs at the starts of its lines are gone, but not those that an expansion brings. */
function withoutTabs(word: WordNode): WordNode {
  let known = stripped.get(word);
  if (!known) {
    const parts = word.parts.map((part, index) => {
      if (part.type !== 'Literal') return part;
      return {...part, value: part.value.replace(index === 0 ? /(^|\n)\t+/g : /(\n)\t+/g, '$1')};
    });
    known = {type: 'Word', parts};
    stripped.set(word, known);
  }
  return known;
}

function put(to: Redirected, fd: number, stream: Stream): undefined {
  to.streams.set(fd, stream);
  to.opened.push(stream);
}

/** `{name}>file` takes a descriptor from 10 on and leaves its number in the variable. */
function* chooseDescriptor(shell: Shell, name: string, to: Redirected): Steps<number> {
  let fd = 10;
  while (to.streams.has(fd)) fd++;
  assign(shell, {name}, String(fd));
  return fd;
}

/** The name after the operator; undefined when it is not exactly one word. */
function* targetName(shell: Shell, word: WordNode): Steps<string | undefined> {
  const words = yield* expandWords(shell, [word]);
  return words.length === 1 ? words[0] : undefined;
}

function duplicate(to: Redirected, fd: number, name: string): string | undefined {
  if (name === '-') {
    to.streams.delete(fd);
    return undefined;
  }
  const source = Number.parseInt(name, 10);
  const stream = to.streams.get(source);
  if (!stream) return `${name}: Bad file descriptor`;
  to.streams.set(fd, stream);
  if (name.endsWith('-')) to.streams.delete(source);
  return undefined;
}

function openBoth(shell: Shell, to: Redirected, file: {name: string; mode: 'truncate' | 'append'}): string | undefined {
  const opened = openToWrite(shell.process, file.name, file.mode);
  if (!opened.ok) return `${file.name}: ${opened.text}`;
  put(to, 1, opened.stream);
  to.streams.set(2, opened.stream);
  return undefined;
}

function open(
  shell: Shell,
  to: Redirected,
  file: {operator: Redirection['operator']; fd: number; name: string},
): string | undefined {
  const {operator, fd, name} = file;
  const {process} = shell;
  if (operator === '>' && shell.options.noclobber && process.machine.files.info(process.path(name))?.kind === 'file') {
    return `${name}: cannot overwrite existing file`;
  }
  const opened = operator === '<' ? openToRead(process, name) : openToWrite(process, name, modeOf(operator));
  if (!opened.ok) return shell.settings.flavour === 'ash' ? ashWords(operator, name, opened.text) : `${name}: ${opened.text}`;
  return put(to, fd, opened.stream);
}

/** The same in the words of a small shell. */
function ashWords(operator: Redirection['operator'], name: string, text: string): string {
  const isMissing = text === 'No such file or directory';
  if (operator === '<') return `can't open ${name}: ${isMissing ? 'no such file' : text}`;
  return `can't create ${name}: ${isMissing ? 'nonexistent directory' : text}`;
}

function modeOf(operator: Redirection['operator']): 'truncate' | 'append' | 'keep' {
  if (operator === '>>') return 'append';
  return operator === '<>' ? 'keep' : 'truncate';
}
