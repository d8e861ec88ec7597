// Functions of numbers by sums, as the host's differ between machines in their last digits.

const HALF_PI = Math.PI / 2;
const TERMS = 30;

/** e to the power of x. */
export function exponential(x: number): number {
  if (x > 709.78) return Infinity;
  if (x < -745) return 0;
  const halvings = Math.round(x / Math.LN2);
  const rest = x - halvings * Math.LN2;
  let [sum, term] = [1, 1];
  for (let index = 1; index < TERMS; index++) {
    term *= rest / index;
    sum += term;
  }
  return sum * 2 ** halvings;
}

/** The natural logarithm. */
export function logarithm(x: number): number {
  if (x <= 0) return x === 0 ? -Infinity : Number.NaN;
  if (!Number.isFinite(x)) return x;
  let [mantissa, exponent] = [x, 0];
  while (mantissa > 1.5) {
    mantissa /= 2;
    exponent++;
  }
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent--;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  let [sum, power] = [0, ratio];
  for (let index = 1; index < TERMS * 2; index += 2) {
    sum += power / index;
    power *= ratio * ratio;
  }
  return 2 * sum + exponent * Math.LN2;
}

/** The sine. */
export function sine(x: number): number {
  const turns = Math.round(x / HALF_PI);
  const rest = x - turns * HALF_PI;
  const quarter = ((turns % 4) + 4) % 4;
  const isCosine = quarter % 2 === 1;
  let term = isCosine ? 1 : rest;
  let sum = term;
  for (let index = isCosine ? 2 : 3; index < TERMS; index += 2) {
    term *= (-rest * rest) / (index * (index - 1));
    sum += term;
  }
  return quarter >= 2 ? -sum : sum;
}

/** The cosine. */
export function cosine(x: number): number {
  return sine(x + HALF_PI);
}
