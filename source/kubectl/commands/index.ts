// All commands, in reading order.
import {apply} from './apply/apply.ts';
import type {Command} from './command.ts';
import {deleteObjects} from './delete.ts';
import {describe} from './describe.ts';
import {get} from './get/get.ts';
import {annotate, label} from './label.ts';
import {logs} from './logs/logs.ts';
import {cordon, uncordon} from './node/cordon.ts';
import {taint} from './node/taint.ts';
import {options} from './options.ts';
import {rolloutHistory} from './rollout/history.ts';
import {rolloutPause, rolloutRestart, rolloutResume} from './rollout/restart.ts';
import {rolloutStatus} from './rollout/status.ts';
import {rolloutUndo} from './rollout/undo.ts';
import {scale} from './scale.ts';
import {setEnv} from './set/env.ts';
import {setImage} from './set/image.ts';
import {setResources} from './set/resources.ts';
import {setServiceAccount} from './set/serviceaccount.ts';

/** One of a kind is one file and one line here. */
export const COMMANDS: readonly Command[] = [
  get,
  describe,
  logs,
  apply,
  deleteObjects,
  scale,
  rolloutStatus,
  rolloutHistory,
  rolloutUndo,
  rolloutRestart,
  rolloutPause,
  rolloutResume,
  label,
  annotate,
  setImage,
  setEnv,
  setResources,
  setServiceAccount,
  taint,
  cordon,
  uncordon,
  options,
];
