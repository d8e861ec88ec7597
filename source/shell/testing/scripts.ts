// Reads the tables of scripts: `$` begins a script and `>` goes on with it, `|` is a line of its output, `!` one of its errors (with
// a `-` behind the sign where the line has no end), `=` the exit code where it is not 0.

/** A script and what is expected of it. */
export interface Expected {
  readonly script: string;
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Reads a table. */
export function readScripts(text: string): readonly Expected[] {
  const found: {script: string; out: string; err: string; code: number}[] = [];
  for (const line of text.split('\n')) {
    const sign = line[0] ?? '';
    const isOpen = line[1] === '-';
    const rest = line.slice(isOpen ? 3 : 2);
    if (sign === '$') found.push({script: rest, out: '', err: '', code: 0});
    const last = found.at(-1);
    if (!last) continue;
    if (sign === '>') last.script += `\n${line.slice(2)}`;
    else if (sign === '|') last.out += isOpen ? rest : `${rest}\n`;
    else if (sign === '!') last.err += isOpen ? rest : `${rest}\n`;
    else if (sign === '=') last.code = Number(rest);
  }
  return found;
}
