// What is said of fields, as lines of a terminal.
import type {Node, Schemas} from './schemas.ts';

/** What is said of a node itself, and of what it refers to. */
export function wordsOf(schemas: Schemas, node: Node): readonly string[] {
  const found: string[] = [];
  let at: Node | undefined = node;
  for (const seen = new Set<Node>(); at && !seen.has(at); at = schemas.next(at)) {
    seen.add(at);
    if (at.description) found.push(at.description);
  }
  return found;
}

/** Lines of a text, broken where there are spaces, which go; all other spaces stay. */
export function linesOf(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap(paragraph => {
    const broken: string[] = [];
    let line = '';
    for (const [word] of paragraph.matchAll(/ *[^ ]+/g)) {
      if (line !== '' && line.length + word.length > width) {
        broken.push(line);
        line = word.trimStart();
      } else line += word;
    }
    return [...broken, line];
  });
}
