// `--request-timeout` counts for the whole of an answer: a watch, or a log that is followed, ends when it is over.
import type {Answer} from '../../api/wire/http.ts';
import type {Clock} from '../../sim/clock.ts';
import type {Connection} from '../../sim/process/process.ts';

/** A call that stays open, with frames of type F. */
export interface Opened<F> extends Connection<Answer, F> {
  /** Did it end because its time was over? */
  readonly isLate: () => boolean;
}

/** The call until that time. */
export function limited<F>(call: Connection<Answer, F>, until: number, clock: Clock): Opened<F> {
  let late = false;
  return {
    ...call,
    isLate: () => late,
    next: async (timeoutMs = Infinity) => {
      const left = until - clock.now;
      const frame = await call.next(Math.max(0, Math.min(left, timeoutMs)));
      if (frame !== 'timeout' || clock.now < until) return frame;
      late = true;
      call.close();
      return null;
    },
  };
}
