// Quoted text as Go reads it, in either kind of quotes.

/** What a letter behind a backslash stands for. */
export const ESCAPED_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** The text inside the quotes; undefined when it cannot be read. */
export function unquote(quoted: string): string | undefined {
  const mark = quoted[0] ?? '';
  const body = quoted.slice(1, -1);
  let text = '';
  for (let at = 0; at < body.length;) {
    const letter = body[at] ?? '';
    if (letter === '\n' || letter === mark) return undefined;
    if (letter !== '\\') {
      text += letter;
      at++;
      continue;
    }
    const escape = readEscape(body.slice(at + 1));
    if (!escape) return undefined;
    text += escape.text;
    at += escape.length + 1;
  }
  return text;
}

function readEscape(rest: string): {text: string; length: number} | undefined {
  const simple = ESCAPED_LETTERS[rest[0] ?? ''];
  if (simple !== undefined) return {text: simple, length: 1};
  const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  if (hex) return {text: String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16)), length: hex[0].length};
  const octal = /^[0-3][0-7]{2}/.exec(rest);
  return octal ? {text: String.fromCodePoint(Number.parseInt(octal[0], 8)), length: 3} : undefined;
}
