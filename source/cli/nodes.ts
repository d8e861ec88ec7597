// A `--nodes FILE`, read for a command.
import type {NodeDescription} from '../world/description.ts';
import {readNodesFile} from '../world/nodes-file.ts';
import {UsageError} from './command.ts';

/** The machines of a nodes file; a UsageError tells what is wrong with it. */
export function nodesFrom(text: string, path: string): readonly NodeDescription[] {
  const read = readNodesFile(text, path);
  if (!read.ok) throw new UsageError(read.message);
  return read.nodes;
}
