// A machine's journal as it is written by the machine and read by journalctl.

/** One line. */
export interface JournalEntry {
  /** By the machine's own clock, in milliseconds since 1970. */
  readonly at: number;
  /** As `journalctl -u` names it, with its ending. */
  readonly unit: string;
  /** Who said it: the program, or systemd. */
  readonly identifier: string;
  readonly pid: number;
  readonly text: string;
  /** As syslog counts: 3 is an error, 6 says how things are. */
  readonly priority: number;
  /** Which start of the machine it was: 0 for the first. */
  readonly boot: number;
}
