// What could stand at the cursor, as a value.
import {DEFAULT, NO_FILES} from './directives.ts';
import type {Asking} from './asking.ts';

/** A word that could stand there, and what it is for. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly directive: number;
}

/** What is completed: a word that begins like this, behind these arguments. */
export interface Question {
  readonly args: readonly string[];
  readonly begun: string;
  readonly asking: Asking;
}

/** Who knows the words of a place: the arguments of a command, or the values of a flag. */
export type Completer = (question: Question) => Promise<Answer> | Answer;

export const NOTHING: Answer = {candidates: [], directive: DEFAULT};

/** Words without more to say of them; no files beside them. */
export function words(list: readonly string[], directive = NO_FILES): Answer {
  return {candidates: list.map(word => ({word, about: ''})), directive};
}

/** Those that begin like what was begun. */
export function beginning(list: readonly string[], begun: string): readonly string[] {
  return list.filter(word => word.startsWith(begun));
}
