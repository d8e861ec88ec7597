// All commands, in reading order.
import {apply} from './apply/apply.ts';
import type {Command} from './command.ts';
import {deleteObjects} from './delete.ts';
import {describe} from './describe.ts';
import {get} from './get/get.ts';
import {logs} from './logs/logs.ts';
import {options} from './options.ts';
import {scale} from './scale.ts';

/** One of a kind is one file and one line here. */
export const COMMANDS: readonly Command[] = [get, describe, logs, apply, deleteObjects, scale, options];
