// What a search for objects brings.
import type {AnyObject} from '../../api/meta/object.ts';
import type {Failure} from '../failure.ts';
import type {KindInfo} from './kinds.ts';

/** One object that was found, or is only named (`object` undefined). */
export interface Found {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly name: string;
  readonly object: AnyObject | undefined;
  /** The file that it stands in; empty when the server has it. */
  readonly source: string;
}

/** Objects, and what could not be found. */
export interface Selected {
  readonly found: readonly Found[];
  readonly failures: readonly Failure[];
  /** Only one object was asked for. */
  readonly isSingle: boolean;
}
