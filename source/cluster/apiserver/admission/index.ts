// The admission plugins in the order of the real server.
import {namespaceLifecycle} from './namespace-lifecycle.ts';
import type {Plugin} from './plugin.ts';

/** Those that may change an object. */
export const MUTATING: readonly Plugin[] = [namespaceLifecycle];

/** Those that judge what came of it. */
export const VALIDATING: readonly Plugin[] = [namespaceLifecycle];
