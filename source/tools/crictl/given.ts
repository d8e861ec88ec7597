// What a command of crictl gets.
import type {Process} from '../../sim/process/process.ts';
import type {FlagValues} from '../flags/pflags.ts';
import type {RuntimeConnection} from './runtime.ts';

export interface Given {
  readonly process: Process;
  readonly runtime: RuntimeConnection;
  readonly words: readonly string[];
  readonly flags: FlagValues;
}
