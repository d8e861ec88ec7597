// Long texts go over several lines: Go's YAML breaks a line at the first single space behind column 80. A literal block is
// never broken, nor is a key.

/** The column behind which a line is broken at the next space. */
const WIDTH = 80;

export interface FoldForm {
  readonly style: 'plain' | 'single' | 'double';
  /** Where the text begins on its first line, its opening quote included. */
  readonly column: number;
  /** How far its further lines are indented. */
  readonly indent: number;
  /** How one letter is written. */
  readonly write: (letter: string) => string;
}

/** The text between its quotes, with line breaks where it is too long. */
export function foldText(text: string, {style, column, indent, write}: FoldForm): string {
  const letters = Array.from(text);
  const lastIndex = letters.length - 1;
  let out = '';
  let at = column;
  let afterSpace = false;
  for (const [index, letter] of letters.entries()) {
    const isInside = style === 'plain' || (index > 0 && index < lastIndex);
    const isBeforeSpace = letters[index + 1] === ' ';
    if (letter === ' ' && !afterSpace && at > WIDTH && isInside && (style === 'double' || !isBeforeSpace)) {
      out += `\n${' '.repeat(indent)}${style === 'double' && isBeforeSpace ? '\\' : ''}`;
      at = indent + (style === 'double' && isBeforeSpace ? 1 : 0);
    } else {
      const written = letter === ' ' ? letter : write(letter);
      out += written;
      at += Array.from(written).length;
    }
    afterSpace = letter === ' ';
  }
  return out;
}
