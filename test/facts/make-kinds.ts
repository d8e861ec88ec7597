// Writes source/api/kinds (one file of readonly types a group-version) and copies the facts that the product needs into
// source/api/data and source/world/data, all from the facts read off a real v1.35 (given as first argument). Run by hand when the facts change.
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {parse, parseAllDocuments} from 'yaml';

interface Schema {
  type?: string;
  ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  values?: Schema;
  required?: string[];
  enum?: string[];
  oneOf?: string[];
  'group-version-kind'?: unknown[];
}

const facts = process.argv[2] ?? '../shared/facts';
const types = JSON.parse(readFileSync(`${facts}/types.json`, 'utf8')) as Record<string, Schema>;
const files = new Map<string, string[]>();
const imports = new Map<string, Set<string>>();

for (const [name, schema] of Object.entries(types)) {
  const {file, short} = placeOf(name);
  const lines = files.get(file) ?? [];
  files.set(file, lines);
  const body = render(
    schema,
    file,
    schema['group-version-kind'] !== undefined && short !== 'Status' && short !== 'DeleteOptions',
  );
  lines.push(schema.properties ? `export interface ${short} ${body}` : `export type ${short} = ${body};`);
}

mkdirSync('source/api/kinds', {recursive: true});
for (const [file, lines] of files) {
  const heads = [...(imports.get(file) ?? [])].sort().map(other => `import type * as ${alias(other)} from './${other}.ts';`);
  writeFileSync(
    `source/api/kinds/${file}.ts`,
    `// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.\n${[...heads, '', ...lines, ''].join('\n')}`,
  );
}

mkdirSync('source/api/data', {recursive: true});
for (const file of ['types.json', 'resources.json', 'kubectl-commands.json', 'component-flags.json'])
  copyFileSync(`${facts}/${file}`, `source/api/data/${file}`);
for (const file of ['rbac', 'start-objects']) {
  const objects = parseAllDocuments(readFileSync(`${facts}/${file}.yaml`, 'utf8'))
    .map(document => document.toJS() as unknown)
    .filter(Boolean);
  writeFileSync(`source/api/data/${file}.json`, `[\n${objects.map(object => JSON.stringify(object)).join(',\n')}\n]\n`);
}
writeFileSync(
  'source/api/data/scheduler-defaults.json',
  `${JSON.stringify(parse(readFileSync(`${facts}/scheduler-defaults.yaml`, 'utf8')), null, 1)}\n`,
);

mkdirSync('source/world/data', {recursive: true});
const addOns = ['kube-proxy', 'coredns']
  .flatMap(name =>
    parseAllDocuments(readFileSync(`${facts}/kubeadm/addon-${name}.yaml`, 'utf8')).map(document => document.toJS() as unknown),
  )
  .filter(Boolean);
writeFileSync('source/world/data/add-ons.json', `[\n${addOns.map(object => JSON.stringify(object)).join(',\n')}\n]\n`);

function render(schema: Schema, file: string, isKind = false): string {
  if (schema.ref) return refer(schema.ref, file);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.oneOf)
    return schema.oneOf
      .map(kind => (kind === 'string' ? 'string' : 'number'))
      .filter((kind, i, all) => all.indexOf(kind) === i)
      .join(' | ');
  if (schema.type === 'array') return `readonly ${paren(schema.items ? render(schema.items, file) : 'unknown')}[]`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([key, value]) => {
      const required =
        schema.required?.includes(key) === true ||
        (isKind && ['apiVersion', 'kind', 'metadata', 'spec'].includes(key)) ||
        (file === 'meta' &&
          schema === types['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'] &&
          ['name', 'uid', 'resourceVersion', 'creationTimestamp'].includes(key));
      return `  readonly ${/^[a-zA-Z_]\w*$/.test(key) ? key : JSON.stringify(key)}${required ? '' : '?'}: ${render(value, file)};`;
    });
    return `{\n${fields.join('\n')}\n}`;
  }
  if (schema.values) return `{readonly [key: string]: ${render(schema.values, file)}}`;
  if (schema.type === 'string') return 'string';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'boolean';
  return schema.type === 'object' ? '{readonly [key: string]: unknown}' : 'unknown';
}

function refer(name: string, from: string): string {
  const {file, short} = placeOf(name);
  if (file === from) return short;
  imports.set(from, (imports.get(from) ?? new Set()).add(file));
  return `${alias(file)}.${short}`;
}

function placeOf(name: string): {file: string; short: string} {
  const words = name.split('.');
  const short = words.at(-1) ?? '';
  const at = words.indexOf('api');
  if (name.startsWith('io.k8s.api.')) return {file: words.slice(at + 1, -1).join('-'), short};
  if (name.includes('apimachinery')) return {file: 'meta', short};
  return {file: words.slice(-3, -1).join('-'), short};
}

function alias(file: string): string {
  return file.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function paren(text: string): string {
  return text.includes(' ') && !text.startsWith('{') ? `(${text})` : text;
}
