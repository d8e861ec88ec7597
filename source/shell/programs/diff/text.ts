// A text to be compared, and how its lines are.

/** Lines without their ends. */
export interface Text {
  readonly lines: readonly string[];
  /** The last line has no end. */
  readonly lacksEnd: boolean;
}

/** What is not looked at when lines are compared. */
export interface Blindness {
  readonly ignoreCase: boolean;
  /** All blanks, how many there are, or those at the end. */
  readonly blanks: 'all' | 'amount' | 'end' | undefined;
  readonly ignoreReturn: boolean;
}

/** Every difference counts. */
export const SEEING: Blindness = {ignoreCase: false, blanks: undefined, ignoreReturn: false};

export function textOf(content: string): Text {
  const lines = content.split('\n');
  const lacksEnd = lines.at(-1) !== '';
  if (!lacksEnd) lines.pop();
  return {lines, lacksEnd};
}

/** What lines are compared by. A last line without its end is another line. */
export function keysOf({lines, lacksEnd}: Text, blind: Blindness): readonly string[] {
  const looksAtEnd = blind.blanks === undefined;
  return lines.map((line, index) => {
    let key = blind.ignoreReturn ? line.replace(/\r$/, '') : line;
    if (blind.blanks === 'all') key = key.replace(/\s+/g, '');
    else if (blind.blanks === 'amount') key = key.replace(/\s+/g, ' ').replace(/ $/, '');
    else if (blind.blanks === 'end') key = key.replace(/\s+$/, '');
    if (blind.ignoreCase) key = key.toLowerCase();
    return lacksEnd && looksAtEnd && index === lines.length - 1 ? `${key}\n` : key;
  });
}
