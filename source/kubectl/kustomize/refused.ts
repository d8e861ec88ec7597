// Why a build ends, as an exception inside of this folder: the walk is deep, and every step adds its words on the way out. The door
// (build.ts) makes a Failure of it.

/** A build that cannot go on. */
export class Refused extends Error {
  /** The text is no YAML: it was meant as a file, whatever else it could be. */
  readonly malformed: boolean;

  constructor(message: string, {malformed = false} = {}) {
    super(message);
    this.malformed = malformed;
  }
}

/** Runs a step; what it is refused for gets words before it. */
export function within<T>(words: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${words}: ${error.message}`, {malformed: error.malformed});
    throw error;
  }
}
