// The prose of the API: what each type and field is for, in Kubernetes' own words. It is not kept here: this reads the doc comments of the
// classes in @kubernetes/client-node when the bundle is made, and takes of them what types.json knows (that package is of the next
// version, and has classes of APIs that are gone). Without the package there are none, and all else works.
//
// Two things are lost on the way into those comments. A field that is a struct of its own has no comment, so its type's stands for it. And
// line breaks have become spaces: where two or more stand together after the end of a sentence, there was most likely a paragraph's end.
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {PARAMETERS, type Prose} from '../../source/api/schema/descriptions.ts';

const root = resolve(import.meta.dirname, '../..');
const models = resolve(root, 'node_modules/@kubernetes/client-node/dist/gen/models');

interface TypeFacts {
  readonly properties?: Readonly<Record<string, {readonly ref?: string}>>;
}

/** By the long names of types: what a type is for, and its fields. Empty where the package is not installed. */
export function readDescriptions(): Readonly<Record<string, Prose>> {
  if (!existsSync(models)) return {};
  const types = JSON.parse(readFileSync(resolve(root, 'source/api/data/types.json'), 'utf8')) as Readonly<
    Record<string, TypeFacts>
  >;
  const found: Record<string, Prose> = {};
  for (const [name, {properties = {}}] of Object.entries(types)) {
    const text = classText(name);
    if (text === undefined) continue;
    const comments = commentsOf(text);
    const fields: Record<string, string> = {};
    for (const [field, {ref = ''}] of Object.entries(properties)) {
      const comment = comments.get(field);
      if (comment === undefined) continue;
      // At a micro time or a quantity stands the comment of that type, which has no class.
      if (comment.startsWith(`${ref.slice(ref.lastIndexOf('.') + 1)} is `)) found[ref] ??= {type: comment, fields: {}};
      else fields[field] = comment;
    }
    found[name] = {type: comments.get('') ?? '', fields};
  }
  found[PARAMETERS] = {type: '', fields: readParameters()};
  return found;
}

const PARAMETER = /\/\*\*\n\s*\* (.*)\n(?:\s*\* .*\n)*?\s*\*\/\n\s*(\w+)\??:/g;

/** What the words of a query are for; they mean the same everywhere, so that the first place that tells is as good as any. */
function readParameters(): Readonly<Record<string, string>> {
  const file = resolve(models, '../types/ObjectParamAPI.d.ts');
  if (!existsSync(file)) return {};
  const fields: Record<string, string> = {};
  for (const [, words = '', name = ''] of readFileSync(file, 'utf8').matchAll(PARAMETER))
    fields[name.replace(/^_/, '')] ??= proseOf(words);
  return fields;
}

/** The declarations of a type's class. Names that several groups have begin with the group. */
function classText(type: string): string | undefined {
  const words = type.split('.');
  const kind = words.at(-1) ?? '';
  const version = capital(words.at(-2) ?? '');
  const group = capital(words.at(-3) ?? '');
  const file = [`${group}${version}${kind}`, `${version}${kind}`].map(name => resolve(models, `${name}.d.ts`)).find(existsSync);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

const COMMENT = /\/\*\*\n\s*\* (.*)\n\s*\*\/\n\s*(?:export declare class \w+|'([^']+)'\??:)/g;

/** The comments of fields by their names; that of the class has none. */
function commentsOf(text: string): ReadonlyMap<string, string> {
  // Names that are words of JavaScript have a sign before them there.
  return new Map(Array.from(text.matchAll(COMMENT), ([, words = '', field = '']) => [field.replace(/^_/, ''), proseOf(words)]));
}

const PARAGRAPH = /(?<=[.:)!`]) {2,}(?=[A-Z*`"-])/g;

function proseOf(comment: string): string {
  return comment
    .replaceAll(/\\(['"])/g, '$1')
    .replaceAll('*_/', '*/')
    .trim()
    .replaceAll(PARAGRAPH, '\n\n');
}
