// Looks that fall on a grid of time: every so often since a beginning, however often somebody asks in between.

/** Nearer than this to a point, one is there: what two roundings leave of a wait is no wait, and time would not move. */
const HERE_MS = 0.001;

/** Milliseconds from `now` to the next point of a grid that is still to come. */
export function untilNext(now: number, periodMs: number, begin = 0): number {
  const wait = periodMs - ((now - begin) % periodMs);
  return wait > HERE_MS ? wait : wait + periodMs;
}
