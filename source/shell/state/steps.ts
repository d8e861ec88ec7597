// How the interpreter waits. Its functions are generators that yield a promise only where a system call really has to wait;
// everything else runs straight through, so a loop of builtins costs no promises. `drive` is the one place that awaits.

/** A piece of interpretation: yields the promises of system calls that wait. */
export type Steps<T = void> = Generator<Promise<unknown>, T, unknown>;

/** Goes on with what a system call gives, now or later. */
export function* wait<T>(call: Promise<T> | T): Steps<T> {
  return call instanceof Promise ? ((yield call) as T) : call;
}

/** Waits for good: what a program does that has been killed while it was awake. */
export function* never(): Steps<never> {
  for (;;) yield new Promise(() => undefined);
}

/** Carries steps out. */
export async function drive<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value);
  return step.value;
}

/** Carries steps out on a fresh stack of the host, so that deep recursion of a script does not overflow it. */
export async function driveDeep<T>(steps: Steps<T>): Promise<T> {
  await Promise.resolve();
  return drive(steps);
}
