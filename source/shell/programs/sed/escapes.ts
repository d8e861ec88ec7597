// Escapes that sed itself knows, before an expression or a replacement is read.

const NAMED: Readonly<Record<string, string>> = {a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v'};

/** A character by its escape (`\t`, `\x41`, `\d065`, `\o101`, `\cA`), and how long that is behind the backslash. */
export function readEscape(text: string, at: number): {char: string; length: number; isNumeric: boolean} | undefined {
  const letter = text[at] ?? '';
  const named = NAMED[letter];
  if (named !== undefined) return {char: named, length: 1, isNumeric: false};
  const rest = text.slice(at + 1, at + 4);
  const digits =
    letter === 'x'
      ? /^[0-9a-fA-F]{1,2}/.exec(rest)
      : letter === 'd'
        ? /^[0-9]{1,3}/.exec(rest)
        : letter === 'o'
          ? /^[0-7]{1,3}/.exec(rest)
          : null;
  if (digits) {
    const code = Number.parseInt(digits[0], letter === 'x' ? 16 : letter === 'd' ? 10 : 8) % 256;
    return {char: String.fromCharCode(code), length: 1 + digits[0].length, isNumeric: true};
  }
  if (letter === 'c' && rest !== '')
    return {char: String.fromCharCode(rest.toUpperCase().charCodeAt(0) ^ 64), length: 2, isNumeric: false};
  return undefined;
}

/** An expression with sed's escapes made characters; the rest is for the reader of expressions. */
export function plainPattern(source: string): string {
  let out = '';
  let inBracket = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '\\') {
      const escape = readEscape(source, at + 1);
      if (escape) {
        const isSpecial = escape.isNumeric && /[.*[\]\\^$/+?(){}|]/.test(escape.char);
        out += isSpecial && !inBracket ? `\\${escape.char}` : escape.char;
        at += escape.length;
      } else if (inBracket) out += char;
      else out += char + (source[++at] ?? '');
      continue;
    }
    if (inBracket) {
      const named = /^\[([:.=])[^\]]*\1\]/.exec(source.slice(at));
      if (named) {
        out += named[0];
        at += named[0].length - 1;
        continue;
      }
      if (char === ']') inBracket = false;
    } else if (char === '[') {
      const opening = /^\[\^?\]?/.exec(source.slice(at))?.[0] ?? char;
      inBracket = true;
      out += opening;
      at += opening.length - 1;
      continue;
    }
    out += char;
  }
  return out;
}
