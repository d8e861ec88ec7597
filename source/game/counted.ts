// Numbers in sentences.
/** A number and what it counts: `1 write`, `2 writes`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
