// `perl`, of which one thing is here: the Job that every tutorial runs, `perl -Mbignum=bpi -wle 'print bpi(2000)'`. It counts as many
// digits of pi as it is asked for, and uses the CPU for it. Any other program is refused.
import type {Program} from '../../sim/process/machine.ts';

/** CPU time of a digit, as it is for some thousands of them. */
const MS_PER_DIGIT = 2;
const MOST_DIGITS = 20_000;
/** Digits that are counted and not printed: the last ones are not exact. */
const SPARE = 10n;

/** arctan(1/x), times ten to the power of the digits. */
function arctan(x: bigint, unit: bigint): bigint {
  let power = unit / x;
  let sum = power;
  for (let odd = 3n, sign = -1n; power > 0n; odd += 2n, sign = -sign) {
    power /= x * x;
    sum += (sign * power) / odd;
  }
  return sum;
}

/** Pi to so many digits, as bpi prints it: rounded. */
export function digitsOfPi(digits: number): string {
  const unit = 10n ** (BigInt(digits - 1) + SPARE);
  const pi = 4n * (4n * arctan(5n, unit) - arctan(239n, unit));
  const text = ((pi + 5n * 10n ** (SPARE - 1n)) / 10n ** SPARE).toString();
  return digits === 1 ? text : `${text[0]}.${text.slice(1)}`;
}

/** The program. */
export const perl: Program = async process => {
  const args = process.argv.slice(1);
  const wanted = /^\s*print\s+bpi\(?\s*(\d+)\s*\)?\s*;?\s*$/.exec(args.at(-1) ?? '')?.[1];
  const hasPi = args.some(arg => /^-M(bignum|bigint|bigfloat)=bpi$/.test(arg));
  if (!hasPi || wanted === undefined || !/^-\w*e$/.test(args.at(-2) ?? '')) {
    await process.err('perl: nothing but bpi of bignum can be counted here\n');
    return 2;
  }
  const digits = Math.min(MOST_DIGITS, Math.max(1, Number(wanted)));
  await process.cpu(digits * MS_PER_DIGIT);
  await process.out(`${digitsOfPi(digits)}${/l/.test(args.at(-2) ?? '') ? '\n' : ''}`);
  return 0;
};
