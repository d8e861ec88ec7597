// The commands that run inside the shell, in reading order.
import type {Builtin} from '../state/shell.ts';
import {alias, unalias} from './alias.ts';
import {cd, pwd} from './cd.ts';
import {compgen, complete} from './completing.ts';
import {breakLoop, continueLoop, exit, returnFrom} from './control.ts';
import {declare, exportNames, local, readonlyNames} from './declare.ts';
import {dirs, popd, pushd} from './dirs.ts';
import {echo} from './echo.ts';
import {caller, enable} from './enable.ts';
import {dot, evaluateText, source} from './eval.ts';
import {getopts} from './getopts.ts';
import {help} from './help.ts';
import {history} from './history.ts';
import {bg, disown, fg, jobs, waitFor} from './jobs.ts';
import {kill} from './kill.ts';
import {letCommand} from './let.ts';
import {times, ulimit, umask} from './limits.ts';
import {mapfile} from './mapfile.ts';
import {printf} from './printf.ts';
import {read} from './read.ts';
import {setCommand, shift, shopt} from './set.ts';
import {bracket, test} from './test.ts';
import {trap} from './trap.ts';
import {builtin, command, hash, type} from './type.ts';
import {unset} from './unset.ts';

const nothing: Builtin = () => 0;

/** All builtins by name. `exec` is part of running a simple command, and stands here to be known. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', nothing],
  ['true', nothing],
  ['false', () => 1],
  ['echo', echo],
  ['printf', printf],
  ['test', test],
  ['[', bracket],
  ['cd', cd],
  ['pwd', pwd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['export', exportNames],
  ['readonly', readonlyNames],
  ['declare', declare],
  ['typeset', declare],
  ['local', local],
  ['unset', unset],
  ['let', letCommand],
  ['set', setCommand],
  ['shopt', shopt],
  ['shift', shift],
  ['getopts', getopts],
  ['break', breakLoop],
  ['continue', continueLoop],
  ['return', returnFrom],
  ['exit', exit],
  ['logout', exit],
  ['eval', evaluateText],
  ['source', source],
  ['.', dot],
  ['exec', nothing],
  ['trap', trap],
  ['kill', kill],
  ['jobs', jobs],
  ['wait', waitFor],
  ['fg', fg],
  ['bg', bg],
  ['disown', disown],
  ['command', command],
  ['builtin', builtin],
  ['type', type],
  ['hash', hash],
  ['enable', enable],
  ['caller', caller],
  ['compgen', compgen],
  ['complete', complete],
  ['compopt', nothing],
  ['bind', nothing],
  ['alias', alias],
  ['unalias', unalias],
  ['history', history],
  ['help', help],
  ['umask', umask],
  ['ulimit', ulimit],
  ['times', times],
]);
