/** A system call was cut short by a signal that the program catches. */
export const INTERRUPTED = Symbol('interrupted');
export type Interrupted = typeof INTERRUPTED;
