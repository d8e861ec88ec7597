// `replacements`: a value of one object is written into fields of others.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Folder} from './disk.ts';
import type {FieldOptions, Kustomization, Replacement} from './kustomization.ts';
import {targetText} from './patches.ts';
import {Refused} from './refused.ts';
import type {Resource, Resources} from './resource.ts';
import {selected} from './select.ts';

/** Carries out all replacements. */
export function replaceValues(folder: Folder, resources: Resources, {replacements = []}: Kustomization): void {
  for (const entry of replacements)
    for (const replacement of entry.path === undefined ? [entry] : inFile(folder, entry.path)) replaceOne(resources, replacement);
}

function inFile(folder: Folder, path: string): readonly Replacement[] {
  const {documents, error} = readYaml(folder.read(path), {plainWords: true});
  if (error) throw new Refused(error.message);
  const value = documents[0]?.value;
  return Array.isArray(value) ? (value as readonly Replacement[]) : [value as Replacement];
}

function replaceOne(resources: Resources, {source, targets}: Replacement): void {
  if (!source || !targets) throw new Refused('replacements must specify a source and at least one target');
  const found = selected(resources.all, source);
  const [from] = found;
  if (!from) throw new Refused(`nothing selected by ${sourceText(source)}`);
  if (found.length > 1) throw new Refused(`multiple matches for selector ${sourceText(source)}`);
  const fieldPath = source.fieldPath ?? 'metadata.name';
  const path = pathOf(fieldPath);
  const [value] = readAll(from.object, path);
  if (value === undefined)
    throw new Refused(`fieldPath \`${fieldPath}\` is missing for replacement source ${sourceText(source)}`);
  const piece = pieceOf(value, source.options);
  for (const {select, reject = [], fieldPaths = ['metadata.name'], options = {}} of targets) {
    if (!select) throw new Refused('target must specify resources to select');
    const rejected = new Set(reject.flatMap(one => [...selected(resources.all, one)]));
    for (const resource of selected(resources.all, select))
      if (!rejected.has(resource)) for (const one of fieldPaths) write(resource, one, {piece, options});
  }
}

function sourceText(source: NonNullable<Replacement['source']>): string {
  return targetText(source);
}

function pieceOf(value: unknown, {delimiter = '', index = 0}: FieldOptions = {}): unknown {
  if (delimiter === '') return value;
  const parts = String(value).split(delimiter);
  const part = parts[index];
  if (part === undefined) throw new Refused(`options.index ${index} is out of bounds for value ${String(value)}`);
  return part;
}

interface Writing {
  readonly piece: unknown;
  readonly options: FieldOptions;
}

function write(resource: Resource, fieldPath: string, {piece, options}: Writing): void {
  const path = pathOf(fieldPath);
  if (options.create !== true && readAll(resource.object, path).length === 0)
    throw new Refused(`unable to find field ${JSON.stringify(fieldPath)} in replacement target`);
  resource.rename(changed(resource.object, path, old => joined(old, piece, options)) as Fields);
}

function joined(old: unknown, piece: unknown, {delimiter = '', index = 0}: FieldOptions): unknown {
  if (delimiter === '') return piece;
  const parts = (typeof old === 'object' || old === undefined ? '' : String(old as string | number | boolean)).split(delimiter);
  if (index < 0) parts.unshift(String(piece));
  else if (index >= parts.length) parts.push(String(piece));
  else parts[index] = String(piece);
  return parts.join(delimiter);
}

/** The steps of `spec.containers.[name=web].image`; a backslash keeps a dot in a step. */
function pathOf(text: string): readonly string[] {
  const steps: string[] = [];
  let step = '';
  let inBrackets = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\' && text.charAt(i + 1) === '.') {
      step += '.';
      i++;
    } else if (char === '.' && !inBrackets) {
      steps.push(step);
      step = '';
    } else {
      if (char === '[') inBrackets = true;
      if (char === ']') inBrackets = false;
      step += char;
    }
  }
  return [...steps, step].filter(one => one !== '');
}

/** Which items of a list a step means. */
function itemsMeant(list: readonly unknown[], step: string): readonly number[] {
  if (step === '*') return list.map((_item, i) => i);
  if (/^\d+$/.test(step)) return Number(step) < list.length ? [Number(step)] : [];
  const parts = /^\[([^=]+)=(.*)\]$/s.exec(step);
  if (!parts) return [];
  const [, key = '', wanted = ''] = parts;
  return list.flatMap((item, i) => (isFields(item) && String(item[key]) === wanted ? [i] : []));
}

function readAll(value: unknown, path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined ? [] : [value];
  if (Array.isArray(value)) return itemsMeant(value, step).flatMap(i => readAll(value[i], rest));
  return isFields(value) && Object.hasOwn(value, step) ? readAll(value[step], rest) : [];
}

function changed(value: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const meant = itemsMeant(value, step);
    return (value as unknown[]).map((item, i) => (meant.includes(i) ? changed(item, rest, change) : item));
  }
  const fields = isFields(value) ? value : {};
  return {...fields, [step]: changed(Object.hasOwn(fields, step) ? fields[step] : undefined, rest, change)};
}
