// Whole numbers of 64 bits, as bash counts. A value is a `number` while that is exact and a `bigint` beyond, so that the usual
// sums stay fast and the rare ones stay right, wrap-around included.

export type Integer = number | bigint;

/** A big number as a `number` again where that is exact, cut to 64 bits. */
function narrow(value: bigint): Integer {
  const cut = BigInt.asIntN(64, value);
  return cut >= -9_007_199_254_740_991n && cut <= 9_007_199_254_740_991n ? Number(cut) : cut;
}

function checked(value: number, exact: () => bigint): Integer {
  return Number.isSafeInteger(value) ? value : narrow(exact());
}

const big = (value: Integer): bigint => BigInt(value);

export function add(a: Integer, b: Integer): Integer {
  return typeof a === 'number' && typeof b === 'number' ? checked(a + b, () => big(a) + big(b)) : narrow(big(a) + big(b));
}

export function subtract(a: Integer, b: Integer): Integer {
  return typeof a === 'number' && typeof b === 'number' ? checked(a - b, () => big(a) - big(b)) : narrow(big(a) - big(b));
}

export function multiply(a: Integer, b: Integer): Integer {
  return typeof a === 'number' && typeof b === 'number' ? checked(a * b, () => big(a) * big(b)) : narrow(big(a) * big(b));
}

/** The divisor must not be 0. */
export function divide(a: Integer, b: Integer): Integer {
  return typeof a === 'number' && typeof b === 'number' ? Math.trunc(a / b) + 0 : narrow(big(a) / big(b));
}

/** The divisor must not be 0. */
export function remainder(a: Integer, b: Integer): Integer {
  return typeof a === 'number' && typeof b === 'number' ? (a % b) + 0 : narrow(big(a) % big(b));
}

/** The exponent must not be negative. */
export function power(base: Integer, exponent: Integer): Integer {
  let result: Integer = 1;
  let factor = base;
  for (let rest = big(exponent); rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = multiply(result, factor);
    factor = multiply(factor, factor);
  }
  return result;
}

export function shiftLeft(a: Integer, b: Integer): Integer {
  return narrow(BigInt.asIntN(64, big(a) << (big(b) & 63n)));
}

export function shiftRight(a: Integer, b: Integer): Integer {
  return narrow(big(a) >> (big(b) & 63n));
}

export function bitAnd(a: Integer, b: Integer): Integer {
  return narrow(big(a) & big(b));
}

export function bitOr(a: Integer, b: Integer): Integer {
  return narrow(big(a) | big(b));
}

export function bitXor(a: Integer, b: Integer): Integer {
  return narrow(big(a) ^ big(b));
}

export function bitNot(a: Integer): Integer {
  return narrow(~big(a));
}

export function negate(a: Integer): Integer {
  return subtract(0, a);
}

export function isZero(a: Integer): boolean {
  return a === 0 || a === 0n;
}

/** A number written in digits of a base, wrapped to 64 bits; undefined when a digit is too great for the base. */
export function fromDigits(digits: string, base: number): Integer | undefined {
  let value: Integer = 0;
  for (const digit of digits) {
    const worth = digitWorth(digit, base);
    if (worth === undefined || worth >= base) return undefined;
    value = add(multiply(value, base), worth);
  }
  return value;
}

/** Digits beyond 9 are letters, lower before upper, then @ and _; up to base 36 the case of letters does not matter. */
function digitWorth(digit: string, base: number): number | undefined {
  const code = digit.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 122) return code - 87;
  if (code >= 65 && code <= 90) return base <= 36 ? code - 55 : code - 29;
  if (digit === '@') return 62;
  return digit === '_' ? 63 : undefined;
}

/** Compares two numbers as `-eq`, `-ne`, `-lt`, `-le`, `-gt` and `-ge` do. */
export function compareNumbers(a: number | bigint, operator: string, b: number | bigint): boolean {
  switch (operator) {
    case '-eq':
      return !(a < b) && !(a > b);
    case '-ne':
      return !compareNumbers(a, '-eq', b);
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    default:
      return a >= b;
  }
}
