// Labels, annotations and other maps as `describe` lists them: the first beside the title, the others below it.
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Lines} from './lines.ts';

type Texts = Readonly<Record<string, string>> | undefined;

/** How wide the terminal is taken to be. */
const LINE_WIDTH = 140;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** `Labels:<tab>a=b`, one a line. `indent` goes before every line. */
export function addLabels(lines: Lines, title: string, labels: Texts, indent = ''): void {
  addTexts(lines, `${indent}${title}:\t`, labels, {indent, skip: () => false});
}

function addTexts(
  lines: Lines,
  head: string,
  texts: Texts,
  {indent, skip}: {indent: string; skip: (key: string) => boolean},
): void {
  const entries = sortedEntries(texts).filter(([key]) => !skip(key));
  if (entries.length === 0) {
    lines.raw(`${head}<none>\n`);
    return;
  }
  for (const [index, [key, value]] of entries.entries()) lines.raw(`${index === 0 ? head : `${indent}\t`}${key}=${value}\n`);
}

/** Annotations: a short value stands beside its key, a long one below it. The record of `apply` is left out. */
export function addAnnotations(lines: Lines, title: string, annotations: Texts, indent = ''): void {
  const entries = sortedEntries(annotations).filter(([key]) => key !== LAST_APPLIED);
  const head = `${indent}${title}:\t`;
  if (entries.length === 0) {
    lines.raw(`${head}<none>\n`);
    return;
  }
  for (const [index, [key, value]] of entries.entries()) {
    const before = index === 0 ? head : `${indent}\t`;
    const text = value.replace(/\n$/, '');
    if (text.length + key.length + 2 <= LINE_WIDTH && !text.includes('\n')) {
      lines.raw(`${before}${key}: ${text}\n`);
      continue;
    }
    lines.raw(`${before}${key}:\n`);
    for (const line of text.split('\n')) lines.raw(`${indent}\t  ${shortened(line)}\n`);
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
