// The printers behind `-o`: each makes the text for an object. A printer may remember what it printed before: documents of YAML
// are parted by a line, headers come once.
import type {AnyObject} from '../../api/meta/object.ts';
import {arranged} from '../../api/schema/arranged.ts';
import {printed} from '../../api/schema/printed.ts';
import {printYaml} from '../../api/yaml/print.ts';
import type {Fields} from '../../api/meta/fields.ts';
import {fail, Failure} from '../failure.ts';
import {parsePath} from '../../api/jsonpath/parse.ts';
import {fillTemplate} from './jsonpath-template.ts';
import type {Session} from '../session.ts';
import {templatePrinter} from './template.ts';
import {columnsLine, readColumnFile, readColumns, type CustomColumn} from './custom-columns.ts';
import {indentedJson, typedJson} from './json.ts';
import {printKyaml} from './kyaml.ts';
import {nameLine} from './name.ts';
import {align, TABLE_TABS, TabWriter} from './tab-writer.ts';

/** Makes the text for an object. */
export type Printer = (object: AnyObject) => string | Failure;

export interface PrinterOptions {
  /** What was done, as in `pod/web created`: the text without `-o`. */
  readonly operation?: string;
  /** `custom-columns` and `wide` are among the formats. */
  readonly tables?: boolean;
  /** JSON keeps the order of fields: for objects of a Go type. */
  readonly typed?: boolean;
}

const FORMATS = [
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'kyaml',
  'name',
  'template',
  'templatefile',
  'yaml',
];
const TABLE_FORMATS = ['custom-columns', 'custom-columns-file', ...FORMATS, 'wide'].toSorted();

/** The printer that the flags ask for. */
export function printerOf(session: Session, options: PrinterOptions = {}): Printer | Failure {
  const {format, argument} = splitFormat(session.flags.text('output'));
  const template = session.flags.text('template');
  const keepManaged = session.flags.on('show-managed-fields');
  const prune = (object: AnyObject) => withNulls(keepManaged ? object : withoutManagedFields(object));
  switch (format) {
    case '':
      if (template === '') return object => nameLine(object, options.operation ?? '');
      return templatePrinter(session, 'go-template', template);
    case 'name':
      return object =>
        listOf(object)
          .map(item => nameLine(item, ''))
          .join('');
    case 'json':
      return object =>
        `${options.typed ? typedJson(arranged(prune(object) as unknown as Fields)) : indentedJson(prune(object))}\n`;
    case 'yaml':
      return yamlPrinter(prune);
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'jsonpath-file':
      return pathPrinter(session, {
        format,
        argument: argument || template,
        strict: !session.flags.on('allow-missing-template-keys'),
      });
    case 'custom-columns':
    case 'custom-columns-file':
      return options.tables ? columnsPrinter(session, format, argument) : unknownFormat(session, options);
    case 'go-template':
    case 'go-template-file':
    case 'template':
    case 'templatefile':
      return templatePrinter(session, format, argument || template);
    case 'kyaml':
      return object => printKyaml(prune(object));
    default:
      return unknownFormat(session, options);
  }
}

function unknownFormat(session: Session, options: PrinterOptions): Failure {
  const formats = options.tables ? TABLE_FORMATS : FORMATS;
  return fail(
    `unable to match a printer suitable for the output format ${JSON.stringify(session.flags.text('output'))}, allowed formats are: ${formats.join(',')}`,
  );
}

/** `jsonpath={.a}` is a format with an argument. */
export function splitFormat(output: string): {readonly format: string; readonly argument: string} {
  const at = output.indexOf('=');
  if (at <= 0 || !/^[a-z-]+$/.test(output.slice(0, at))) return {format: output, argument: ''};
  const format = output.slice(0, at);
  const takesArgument = /^(go-template|template|jsonpath|custom-columns)/.test(format);
  return takesArgument ? {format, argument: output.slice(at + 1)} : {format: output, argument: ''};
}

function yamlPrinter(prune: (object: AnyObject) => AnyObject): Printer {
  let count = 0;
  return object => `${count++ > 0 ? '---\n' : ''}${printYaml(prune(object))}`;
}

function pathPrinter(session: Session, wish: {format: string; argument: string; strict: boolean}): Printer | Failure {
  if (wish.argument === '') return fail('template format specified but no template given');
  const text =
    wish.format === 'jsonpath-file' ? session.process.machine.files.read(session.process.path(wish.argument)) : wish.argument;
  if (text === undefined)
    return fail(`error reading --template ${wish.argument}, open ${wish.argument}: no such file or directory\n`);
  const parsed = parsePath(text);
  if ('error' in parsed) return fail(`error parsing jsonpath ${text}, ${parsed.error}`);
  const asJson = wish.format === 'jsonpath-as-json';
  return object => fillTemplate({text, root: parsed.root}, withNulls(object), {asJson, strict: wish.strict});
}

function columnsPrinter(session: Session, format: string, argument: string): Printer | Failure {
  const columns = columnsOf(session, format, argument);
  if (columns instanceof Failure) return columns;
  const writer = new TabWriter(TABLE_TABS);
  let headed = session.flags.on('no-headers');
  return object => {
    if (!headed) writer.write(`${columns.map(column => column.header).join('\t')}\n`);
    headed = true;
    for (const item of listOf(object)) {
      const line = columnsLine(columns, printed(item));
      if (line instanceof Failure) return new Failure(line.cause, writer.flush());
      writer.write(line);
    }
    return writer.flush();
  };
}

function columnsOf(session: Session, format: string, argument: string): readonly CustomColumn[] | Failure {
  if (format === 'custom-columns') return readColumns(argument);
  if (argument === '') return fail('custom-columns format specified but no custom columns given');
  const text = session.process.machine.files.read(session.process.path(argument));
  return text === undefined
    ? fail(`error reading template ${argument}, open ${argument}: no such file or directory\n`)
    : readColumnFile(text);
}

/** The items of a list, or the object alone. */
export function listOf(object: AnyObject): readonly AnyObject[] {
  const {items} = object as {items?: unknown};
  return object.kind.endsWith('List') && Array.isArray(items) ? (items as AnyObject[]) : [object];
}

/** The object as the server prints it, with the nulls of Go's types; a list, with those of its items. */
export function withNulls(object: AnyObject): AnyObject {
  const {items, object: watched} = object as {items?: unknown; object?: AnyObject};
  // An event of a watch.
  if (object.kind === undefined) return watched === undefined ? object : ({...object, object: withNulls(watched)} as AnyObject);
  if (object.kind !== 'List' || !Array.isArray(items)) return printed(object);
  return {...object, items: (items as AnyObject[]).map(printed)} as AnyObject;
}

/** The object without `metadata.managedFields`, and a list with none in its items, whose kind need not be told. */
export function withoutManagedFields(object: AnyObject): AnyObject {
  const {kind = '', items} = object as {kind?: string; items?: unknown};
  if (kind.endsWith('List') && Array.isArray(items)) return {...object, items: (items as AnyObject[]).map(withoutManagedFields)};
  if (object.metadata?.managedFields === undefined) return object;
  const {managedFields: _managed, ...metadata} = object.metadata;
  return {...object, metadata};
}

/** Rows as `kubectl` aligns its own tables. */
export function tableText(rows: readonly (readonly string[])[]): string {
  return align(rows, TABLE_TABS);
}
