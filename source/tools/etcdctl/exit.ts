// How etcd's tools end.

/** The exit codes that etcdctl has. */
export const EXIT = {error: 1, connection: 2, input: 3, feature: 4, interrupted: 5, io: 5, argument: 128} as const;

/** Ends a command with a message on standard error. */
export class Ended {
  readonly message: string;
  readonly code: number;

  constructor(message: string, code: number = EXIT.error) {
    this.message = message;
    this.code = code;
  }
}

/** An error in the arguments. */
export function badArgument(message: string): Ended {
  return new Ended(message, EXIT.argument);
}
