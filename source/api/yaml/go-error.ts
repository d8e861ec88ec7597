// The words of kubectl for YAML that it cannot read. Our parser sees other things first and counts lines as people do;
// Go's names the line before when its parser stumbles, and the line itself when its scanner does, but never the first.
import type {YAMLParseError} from 'yaml';
import {goQuote} from '../meta/go-text.ts';

/** The sentence after `error converting YAML to JSON: `. `line` counts from 1 within the document. */
export function goYamlError(error: YAMLParseError, text: string, line: number): string {
  const lines = text.split('\n');
  const scanner = (at: number, words: string) => (at > 1 ? `yaml: line ${at}: ${words}` : `yaml: ${words}`);
  const parser = (words: string) => (line > 1 ? `yaml: line ${line - 1}: ${words}` : `yaml: ${words}`);
  const [message] = error.message.split('\n');
  const says = (words: string) => message?.includes(words) === true;
  const here = lines[line - 1] ?? '';
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return scanner(line, endsInPlainValue(lines, line) ? 'found a tab character that violates indentation' : NO_TOKEN);
    case 'BAD_SCALAR_START':
      return scanner(line, NO_TOKEN);
    case 'MISSING_CHAR':
      return says('Missing closing') ? scanner(lines.length, 'found unexpected end of stream') : parser(NO_KEY);
    case 'BAD_DQ_ESCAPE':
      return scanner(line, 'found unknown escape character');
    case 'BAD_ALIAS':
      return scanner(line, 'did not find expected alphabetic or numeric character');
    case 'MULTILINE_IMPLICIT_KEY':
      return longKeyError(lines, line, error.linePos?.[0].col ?? 1);
    case 'BLOCK_AS_IMPLICIT_KEY':
      return says('sequence') ? parser(NO_KEY) : scanner(colonLine(lines, line, error.linePos?.[0].col ?? 1), NO_MAPPING);
    case 'BAD_INDENT':
      if (says('Flow ') && breaksOffBeforeNode(lines))
        return lines.length > 1 ? `yaml: line ${lines.length - 1}: ${NO_NODE}` : `yaml: ${NO_NODE}`;
      if (says('Flow map')) return parser("did not find expected ',' or '}'");
      if (says('Flow sequence')) return parser("did not find expected ',' or ']'");
      return parser(says('sequence items') ? "did not find expected '-' indicator" : NO_KEY);
    case 'UNEXPECTED_TOKEN':
      if (says('Block scalar header')) return scanner(line, 'did not find expected comment or line break');
      return parser(/:\s*[\]}]/.test(here) ? NO_NODE : NO_KEY);
    case 'DUPLICATE_KEY':
      return `yaml: unmarshal errors:\n  line ${line}: key ${goQuote(keyAt(here))} already set in map`;
    default:
      return parser(NO_KEY);
  }
}

/** The key that a line begins with. */
function keyAt(line: string): string {
  const [, , quoted, plain = ''] = /^(\s*- +)*\s*(?:["'](.*?)["']\s*:|(.*?)\s*:(?:\s|$))/.exec(line) ?? [];
  return quoted ?? plain.trim();
}

const NO_TOKEN = 'found character that cannot start any token';
const NO_KEY = 'did not find expected key';
const NO_NODE = 'did not find expected node content';
const NO_MAPPING = 'mapping values are not allowed in this context';

/** Does the text end where a part of a list or a map in brackets should begin? */
function breaksOffBeforeNode(lines: readonly string[]): boolean {
  const last = lines.findLast(line => !/^\s*(#|$)/.test(line)) ?? '';
  return /[[{,:]\s*(?:\s#.*)?$/.test(last);
}

/** Does the line before end in the middle of a plain value, so that a tab would go on with it? */
function endsInPlainValue(lines: readonly string[], line: number): boolean {
  const before = lines[line - 2] ?? '';
  return /[^\s:]\s*$/.test(before) && !before.trimEnd().endsWith('-');
}

/**
 * Text over several lines where a key should be. Where a mapping already stands at this column Go misses the colon; where
 * none does, the next colon comes as a surprise.
 */
function longKeyError(lines: readonly string[], line: number, column: number): string {
  const here = lines[line - 1] ?? '';
  if (here.slice(column - 1).startsWith('- ')) return line > 1 ? `yaml: line ${line - 1}: ${NO_KEY}` : `yaml: ${NO_KEY}`;
  if (hasKeyBefore(lines, line, column)) return `yaml: line ${line + 1}: could not find expected ':'`;
  return `yaml: line ${colonLine(lines, line + 1, 1)}: ${NO_MAPPING}`;
}

function hasKeyBefore(lines: readonly string[], line: number, column: number): boolean {
  for (let at = line - 2; at >= 0; at--) {
    const text = lines[at] ?? '';
    if (/^\s*(#|$)/.test(text)) continue;
    const indent = text.length - text.trimStart().replace(/^(- +)+/, '').length;
    if (indent < column - 1) return false;
    if (indent === column - 1) return /:(\s|$)/.test(text);
  }
  return false;
}

/** The line of the next colon that would end a key, after a place. */
function colonLine(lines: readonly string[], line: number, column: number): number {
  for (let at = line - 1; at < lines.length; at++) {
    const text = lines[at] ?? '';
    if (/:(\s|$)/.test(at === line - 1 ? text.slice(column - 1) : text)) return at + 1;
  }
  return line;
}
