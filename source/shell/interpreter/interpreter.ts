// The one place where the parts of the interpreter are joined.
import {builtins} from '../builtins/index.ts';
import {expandPattern, expandText} from '../expansion/words.ts';
import type {Interpreter} from '../state/shell.ts';
import {runCommand} from './commands.ts';
import {runText} from './script.ts';
import {runWords} from './simple.ts';
import {runList} from './statements.ts';
import {arm, armAll, finish} from './traps.ts';

/** bash's own way to run things. */
export const interpreter: Interpreter = {
  list: runList,
  command: runCommand,
  text: (shell, text, origin) => runText(shell, text, origin === undefined ? {} : {origin}),
  words: (shell, words, skipFunctions = false) => runWords(shell, {words, assignments: [], redirections: []}, {skipFunctions}),
  finish,
  arm: (shell, name) => (name === 'EXIT' ? armAll(shell) : arm(shell, name)),
  expandText,
  expandPattern,
  builtins,
};
