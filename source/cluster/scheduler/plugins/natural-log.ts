const LN2 = Math.LN2;
const known: number[] = [];

/** The natural logarithm of a whole number, by its series alone: Math.log may differ in the last digit from engine to engine. */
export function naturalLog(value: number): number {
  const before = known[value];
  if (before !== undefined) return before;
  let rest = value;
  let twos = 0;
  while (rest > 1.5) {
    rest /= 2;
    twos++;
  }
  const ratio = (rest - 1) / (rest + 1);
  let power = ratio;
  let sum = 0;
  for (let n = 1; n < 60; n += 2) {
    sum += power / n;
    power *= ratio * ratio;
  }
  const log = 2 * sum + twos * LN2;
  known[value] = log;
  return log;
}
