// Labels, annotations and other maps as `describe` lists them: the first beside the title, the others below it.
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Lines} from './lines.ts';

type Texts = Readonly<Record<string, string>> | undefined;

/** How long a line may be. */
const LINE_WIDTH = 140;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** `Labels:<tab>a=b`, one a line. `indent` goes before the title. */
export function addLabels(lines: Lines, title: string, labels: Texts, indent = ''): void {
  const entries = sortedEntries(labels);
  if (entries.length === 0) lines.raw(`${indent}${title}:\t<none>\n`);
  for (const [index, [key, value]] of entries.entries())
    lines.raw(`${index === 0 ? `${indent}${title}:` : ''}\t${key}=${value}\n`);
}

/** Annotations: a short value stands beside its key, a long one below it. The record of `apply` is left out. */
export function addAnnotations(lines: Lines, title: string, annotations: Texts, indent = ''): void {
  const entries = sortedEntries(annotations).filter(([key]) => key !== LAST_APPLIED);
  if (entries.length === 0) lines.raw(`${indent}${title}:\t<none>\n`);
  for (const [index, [key, value]] of entries.entries()) {
    const head = `${index === 0 ? `${indent}${title}:` : ''}\t${key}:`;
    const text = value.replace(/\n$/, '');
    if (text.length + key.length + 2 <= LINE_WIDTH && !text.includes('\n')) {
      lines.raw(`${head} ${text}\n`);
      continue;
    }
    lines.raw(`${head}\n`);
    for (const line of text.split('\n')) lines.raw(`\t  ${shortened(line)}\n`);
  }
}

function shortened(line: string): string {
  const limit = LINE_WIDTH - 2;
  return line.length > limit ? `${line.slice(0, limit)}...` : line;
}

/** The entries of a map in the order of its keys. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).toSorted(([a], [b]) => compareStrings(a, b));
}
