// Stars, as the course gives them: one for a level that is solved within its constraints, one for solving it without hints (each
// hint takes its price off), one for as few writes as the solution needs, and one more.

export interface Run {
  readonly hintPrices: readonly number[];
  /** `star` constraints that were broken. */
  readonly starBreaches: number;
  readonly writes: number;
  /** Writes of the level's own solution; undefined when they are not known. */
  readonly solutionWrites: number | undefined;
}

export interface Score {
  /** Halves from 0.5 to 3. */
  readonly stars: number;
  readonly solved: number;
  readonly hints: number;
  readonly writes: number;
  /** How many writes still earn the third star. */
  readonly par: number | undefined;
}

/** The first hint is free the first time that a level is played. */
export function scoreOf(run: Run): Score {
  const par = run.solutionWrites === undefined ? undefined : run.solutionWrites + 1;
  const solved = Math.max(0.5, 1 - run.starBreaches);
  const hints = Math.max(0, 1 - run.hintPrices.reduce((sum, price) => sum + price, 0));
  const writes = par === undefined || run.writes <= par ? 1 : 0;
  return {stars: Math.max(0.5, solved + hints + writes), solved, hints, writes, par};
}

/** Stars as text: `★★½`, in ASCII `**+`; what is missing to three as `☆` or `-`. */
export function starsText(stars: number, ascii = false): string {
  const whole = Math.floor(stars);
  const half = stars - whole >= 0.5;
  const missing = 3 - whole - (half ? 1 : 0);
  const [full, part, none] = ascii ? ['*', '+', '-'] : ['★', '½', '☆'];
  return `${full.repeat(whole)}${half ? part : ''}${none.repeat(Math.max(0, missing))}`;
}
