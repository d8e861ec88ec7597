// What a check is: it hears of every change and is asked at rest. What it finds it says in one sentence.
import type {World} from '../../../../source/world/world.ts';
import type {Change, Ledger, State} from '../ledger.ts';

export interface Scene {
  readonly ledger: Ledger;
  readonly world: World;
  /** Nothing but requests has happened since the last rest: whatever is missing, a controller took away. */
  readonly gentle: boolean;
  /** Since when (virtual ms) nobody has paused or ended a component. */
  readonly steadySince: number;
  /** When a round began in which nothing is taken away; absent in another. */
  roundSince: number | undefined;
}

export interface Check {
  /** Judges a change; the ledger's state has it already. */
  change?(change: Change, scene: Scene): string | undefined;
  /** Judges the whole at rest. */
  rest?(state: State, scene: Scene): readonly string[];
  /** The same, for what is only put right when everything is looked at anew, every five minutes: it may be wrong until then. */
  late?(state: State, scene: Scene): readonly string[];
}
