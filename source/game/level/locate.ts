// Finds a part of a level file again: the line of `cheats[2]`.
import {isNode, LineCounter, parseDocument} from 'yaml';

/** The line (from 1) of the value at a path; 1 where there is none. */
export function lineOf(text: string, path: string): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {lineCounter});
  const steps = [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
  const node: unknown = document.getIn(steps, true);
  return isNode(node) && node.range ? lineCounter.linePos(node.range[0]).line : 1;
}
