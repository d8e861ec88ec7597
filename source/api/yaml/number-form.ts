// Numbers as Go's YAML prints them.

/** Integers plainly, fractions in the shortest form, with an exponent where Go's `%g` has one. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < SHORTEST) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** From this power of ten on, `%g` turns to exponents. */
const SHORTEST = 6;
