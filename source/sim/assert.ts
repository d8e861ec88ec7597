/** Stops the program when something that can never be is so: a fault of ours, never of a player or of a cluster. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${sentence}`);
}

/** Closes a union: the compiler refuses the call while a case is left. */
export function unreachable(value: never): never {
  throw new Error(`broken invariant: nothing should be left of ${JSON.stringify(value)}`);
}
