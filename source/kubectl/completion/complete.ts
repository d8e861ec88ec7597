// `kubectl __complete` and `__completeNoDesc`: what scripts of completion ask. One candidate a line, with what it is for behind a
// tab; at last a colon and the directive, which standard error says in words.
import {fail, type Failure} from '../failure.ts';
import type {Process} from '../../sim/process/process.ts';
import {findCommand} from '../flags/catalogue.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {pluginCommands} from '../plugins.ts';
import {beginning, NOTHING, type Answer, type Candidate} from './answer.ts';
import {Asking} from './asking.ts';
import {candidatesOf} from './candidates.ts';
import {directiveText} from './directives.ts';
import {readLine, type Line, type Unread} from './line.ts';

/** The words that ask, and whether they want to know what candidates are for. */
const ASKED: Readonly<Record<string, boolean>> = {__complete: true, __completeNoDesc: false};

/** Is a line to be completed? */
export function isCompletion(words: readonly string[]): boolean {
  return Object.hasOwn(ASKED, words[0] ?? '');
}

/** A deprecated flag is complained of at each of these readings. */
const READINGS = 3;

/** Completes the words after the first; the last of them is what is begun. */
export async function complete(process: Process, [first = '', ...words]: readonly string[]): Promise<Failure | undefined> {
  const begun = words.at(-1);
  if (begun === undefined) return fail('requires at least 1 arg(s), only received 0');
  const before = words.slice(0, -1);
  // A first word that is no command could be a program of somebody's, which knows no flags of kubectl.
  const isStrange = before[0] !== undefined && !before[0].startsWith('-') && !findCommand(`kubectl ${before[0]}`);
  if (isStrange) await process.err('[Debug] Cleared global flags for plugin completion\n');
  const line = readLine(before, begun);
  const answer = await answerTo(process, line);
  const isFirst = before.length === 0 && !begun.startsWith('-');
  const all = isFirst
    ? [...answer.candidates, ...pluginsAt(process, begun, answer)].toSorted((a, b) => compareStrings(a.word, b.word))
    : answer.candidates;
  const said = all.map(({word, about}) => (ASKED[first] && about !== '' ? `${word}\t${about}` : word).trim());
  const path = line.command?.path;
  await process.out([...said, `:${answer.directive}`].map(text => `${text}\n`).join(''));
  const ended = `Completion ended with directive: ${directiveText(answer.directive)}\n`;
  // Only this command has no other place to complain at.
  await (path === 'kubectl options' ? process.out(ended) : process.err(ended));
  return undefined;
}

function pluginsAt(process: Process, begun: string, {candidates}: Answer): readonly Candidate[] {
  return beginning(pluginCommands(process), begun)
    .filter(name => !candidates.some(({word}) => word === name))
    .map(word => ({word, about: `The command ${word} is a plugin installed by the user`}));
}

async function answerTo(process: Process, line: Line | Unread): Promise<Answer> {
  if ('problem' in line) {
    await process.err(`[Debug] [Error] ${line.problem}\n`);
    return NOTHING;
  }
  await process.err(line.values.notices.join('').repeat(READINGS));
  return candidatesOf(line, new Asking(process, line.values));
}
