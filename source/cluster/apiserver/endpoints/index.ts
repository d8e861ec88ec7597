// Subresources and resources that are answered in ways of their own, by `resource[.group]` and `resource[.group]/subresource`.
import type {Handler} from './asked.ts';

/** The handlers, each one file. */
export const SPECIAL: Readonly<Record<string, Handler>> = {};
