// Objects in files: which files `-f` means (a file, a folder, a pattern, `-` for standard input), the documents in each, and the
// objects in each document. A list in a document is taken apart. What a folder holds counts only when it is YAML or JSON by name.
import {jsonKind} from '../../api/meta/go-text.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {printJson} from '../../api/yaml/json-print.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {isFields} from '../../api/meta/fields.ts';
import {typeOfKind} from '../../api/schema/types.ts';
import {fail, Failure, failRaw} from '../failure.ts';
import {buildKustomization} from '../kustomize/build.ts';
import type {Session} from '../session.ts';
import type {Found} from './found.ts';
import {localKind, kindOfObject} from './kinds.ts';
import {metadataProblem} from './metadata-types.ts';

/** A file, a folder, a pattern or an address; or a folder to build. */
export type FileSource = string | {readonly kustomization: string};

/** What kubectl calls the kinds that it knows by itself. */
export const SCHEME = 'in scheme "pkg/scheme/scheme.go:28"';

interface Source {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

export interface FileWish {
  readonly names: readonly FileSource[];
  readonly recursive: boolean;
  /** Where objects go that name no namespace. */
  readonly namespace: string;
  readonly validate: boolean;
  /** Objects get no namespace that they do not name, and nobody is asked whether their kinds are served. */
  readonly asWritten: boolean;
  /** Only kinds that kubectl itself knows may stand there. */
  readonly typed: boolean;
}

export interface FileObjects {
  /** As they stand there; a failure for what is no object of a known kind. */
  readonly objects: readonly (Found | Failure)[];
  /** Only one document was named, and it is no list. */
  readonly isSingle: boolean;
}

/** All objects in the files. A file that cannot be read ends everything; an object of an unknown kind is kept as a failure. */
export async function readFileObjects(session: Session, wish: FileWish): Promise<FileObjects | Failure> {
  const sources = await readSources(session, wish);
  if (sources instanceof Failure) return sources;
  const objects: (Found | Failure)[] = [];
  let isSingle = true;
  for (const source of sources) {
    const {documents, error} = readYaml(source.text);
    for (const {value, json} of documents) {
      const parts = await readDocument(session, value, {source: source.name, wish, json});
      if (parts.isList) isSingle = false;
      objects.push(...parts.objects);
      if (parts.ends) break;
    }
    if (error) objects.push(fail(`error parsing ${source.name}: ${error.message}`));
  }
  return {objects, isSingle};
}

interface DocumentPlace {
  readonly source: string;
  /** The document as it stands there, where it is JSON. */
  readonly json?: string | undefined;
  /** It stands in a list. */
  readonly isPart?: boolean;
  readonly wish: FileWish;
}

/** The objects of one document. `ends` tells that the rest of the file is not looked at. */
async function readDocument(session: Session, value: unknown, place: DocumentPlace) {
  const problem = place.wish.validate ? (problemWith(value) ?? (await schemaProblem(session))) : undefined;
  if (problem !== undefined) {
    const words = `error validating ${JSON.stringify(place.source)}: error validating data: ${problem}; if you choose to ignore these errors, turn validation off with --validate=false`;
    return {objects: [fail(words)], isList: false, ends: true};
  }
  const parts = partsOf(value);
  const objects: (Found | Failure)[] = [];
  for (const object of parts) objects.push(await findPlace(session, object, {...place, isPart: object !== value}));
  return {objects, isList: parts[0] !== value, ends: false};
}

/** Fields are checked by the server; whether it can is looked up in its schema, and here a broken server shows first. */
async function schemaProblem(session: Session): Promise<string | undefined> {
  const answer = await session.schemaIndex();
  if (!(answer instanceof Failure)) return undefined;
  const {cause} = answer;
  if (cause.type === 'unreachable')
    return `failed to download openapi: ${cause.method} ${JSON.stringify(cause.url.replace('/openapi/v3', '/openapi/v2'))}: ${cause.error}`;
  if (answer.is('Unauthorized')) return 'failed to download openapi: the server has asked for the client to provide credentials';
  return undefined;
}

function problemWith(value: unknown): string | undefined {
  if (!isFields(value)) return 'invalid object to validate';
  const missing = ['apiVersion', 'kind'].flatMap(key => wordProblem(key, value[key]));
  return missing.length === 0 ? undefined : missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`;
}

function wordProblem(key: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [`${key} not set`];
  return typeof value === 'string' ? [] : [`${key} isn't string type`];
}

function partsOf(value: unknown): readonly unknown[] {
  if (!isFields(value) || !Array.isArray(value['items']) || !String(value['kind']).endsWith('List')) return [value];
  return (value['items'] as readonly unknown[]).flatMap(partsOf);
}

async function findPlace(session: Session, object: unknown, place: DocumentPlace): Promise<Found | Failure> {
  const {source, wish, isPart} = place;
  if (!isFields(object))
    return fail(
      `unable to decode ${JSON.stringify(source)}: json: cannot unmarshal ${jsonKind(object)} into Go value of type unstructured.detector`,
    );
  const {apiVersion = '', kind = '', metadata} = object;
  if (typeof kind !== 'string' || kind === '')
    return fail(`unable to decode ${JSON.stringify(source)}: Object 'Kind' is missing in '${textOf(object, place)}'`);
  const wrong = isPart ? undefined : metadataProblem(metadata);
  if (wrong !== undefined) return fail(`unable to decode ${JSON.stringify(source)}: ${wrong}`);
  const meta = isFields(metadata) ? metadata : {};
  const name = typeof meta['name'] === 'string' ? meta['name'] : '';
  const own = typeof meta['namespace'] === 'string' ? meta['namespace'] : '';
  if (wish.typed && typeOfKind(String(apiVersion), kind) === undefined)
    return fail(
      `unable to decode ${JSON.stringify(source)}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(String(apiVersion))} ${SCHEME}`,
    );
  const info = wish.asWritten ? localKind(String(apiVersion), kind) : await findObjectKind(session, String(apiVersion), kind);
  if (info instanceof Failure) return unrecognized(info, source);
  if (!info) {
    if (isPart)
      return failRaw(
        `unable to recognize no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(String(apiVersion))}`,
      );
    return fail(
      `resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(own)} from ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(String(apiVersion))}\nensure CRDs are installed first`,
    );
  }
  if (!info.namespaced) return {kind: info, namespace: '', name, object: object as unknown as AnyObject, source};
  if (own !== '' && own !== wish.namespace && session.flags.has('namespace')) {
    return fail(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(wish.namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  }
  const namespace = own === '' ? wish.namespace : own;
  const placed = own === '' && !wish.asWritten ? {...object, metadata: {...meta, namespace}} : object;
  return {kind: info, namespace, name, object: placed as unknown as AnyObject, source};
}

/** An object as kubectl had it before its eyes: JSON as it stands in the file, YAML as the JSON that it is made into. */
function textOf(object: unknown, {json, isPart}: DocumentPlace): string {
  return json === undefined || isPart ? printJson(object, {indent: 0}) : json;
}

async function findObjectKind(session: Session, apiVersion: string, kind: string) {
  const kinds = await session.kinds([], 1);
  if (kinds instanceof Failure) return kinds;
  const known = kindOfObject(kinds, apiVersion, kind);
  if (known) return known;
  const fresh = await session.freshKinds();
  return fresh instanceof Failure ? fresh : kindOfObject(fresh, apiVersion, kind);
}

function unrecognized(failure: Failure, source: string): Failure {
  return failure.cause.type === 'unreachable'
    ? new Failure({type: 'raw', text: `error: unable to recognize ${JSON.stringify(source)}: ${failure.message}\n`, code: 1})
    : failure;
}

async function readSources(session: Session, wish: FileWish): Promise<readonly Source[] | Failure> {
  const sources: Source[] = [];
  for (const name of wish.names) {
    if (typeof name !== 'string') {
      const built = await buildSource(session, name.kustomization);
      if (built instanceof Failure) return built;
      sources.push(built);
      continue;
    }
    if (name === '-') {
      sources.push({name: 'STDIN', text: await session.process.readAll()});
      continue;
    }
    const found = /^https?:\/\//.test(name) ? await fetched(session, name) : filesOf(session, name, wish.recursive);
    if (found instanceof Failure) return found;
    sources.push(...found);
    if (sources.length === 0) return fail(`error reading [${name}]: recognized file extensions are [.json .yaml .yml]`);
  }
  return sources;
}

/** What stands at an address. */
async function fetched(session: Session, url: string): Promise<readonly Source[] | Failure> {
  const parts = /^(https?):\/\/([^/:?]+)(?::(\d+))?([^?]*)(?:\?(.*))?$/.exec(url);
  if (!parts) return fail(`the URL passed to filename ${JSON.stringify(url)} is not valid`);
  const [, scheme = 'http', host = '', port = scheme === 'https' ? '443' : '80', path = '', search = ''] = parts;
  const query = Object.fromEntries(new URLSearchParams(search));
  const request = {method: 'GET', scheme, path: path || '/', query, headers: {host, accept: '*/*'}} as const;
  const opened = await session.process.connect<Answer, never>(host, Number(port), request as Request, Infinity);
  if (!('answer' in opened))
    return new Failure({type: 'unreachable', method: 'Get', url, error: networkError(opened.failure, host, port)});
  opened.close();
  const {status, body} = opened.answer;
  if (status !== 200)
    return fail(
      `unable to read URL ${JSON.stringify(url)}, server reported ${status} ${STATUS_TEXT[status] ?? ''}, status code=${status}`,
    );
  return [{name: url, text: typeof body === 'string' ? body : JSON.stringify(body ?? '')}];
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

function networkError(failure: string, host: string, port: string): string {
  if (failure === 'refused') return `dial tcp ${host}:${port}: connect: connection refused`;
  if (failure === 'unresolved') return `dial tcp: lookup ${host}: no such host`;
  return failure === 'closed' ? 'EOF' : `dial tcp ${host}:${port}: i/o timeout`;
}

/** What a kustomization stands for, as a text. */
async function buildSource(session: Session, folder: string): Promise<Source | Failure> {
  const {result, warnings} = buildKustomization(session.process, folder);
  await session.err(warnings);
  return result instanceof Failure ? result : {name: folder, text: result.map(object => printYaml(object)).join('---\n')};
}

function filesOf(session: Session, name: string, recursive: boolean): readonly Source[] | Failure {
  const {files} = session.process.machine;
  const path = session.process.path(name);
  const text = files.read(path);
  if (text !== undefined) return [{name, text}];
  if (files.isFolder(path)) return inFolder(session, name.replace(/\/+$/, '') || '/', recursive);
  if (/[*?[]/.test(name)) return matchingFiles(session, name);
  return fail(`the path ${JSON.stringify(name)} does not exist`);
}

function inFolder(session: Session, folder: string, recursive: boolean): Source[] {
  const {files} = session.process.machine;
  return (files.list(session.process.path(folder)) ?? []).flatMap((entry): Source[] => {
    const name = folder === '.' ? entry : `${folder}/${entry}`;
    const path = session.process.path(name);
    if (files.isFolder(path)) return recursive ? inFolder(session, name, recursive) : [];
    return /\.(json|ya?ml)$/.test(entry) ? [{name, text: files.read(path) ?? ''}] : [];
  });
}

function matchingFiles(session: Session, pattern: string): readonly Source[] | Failure {
  const {files} = session.process.machine;
  const at = pattern.lastIndexOf('/');
  const folder = at < 0 ? '' : pattern.slice(0, at);
  const test = new RegExp(
    `^${pattern
      .slice(at + 1)
      .replaceAll(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  );
  const names = (files.list(session.process.path(folder || '.')) ?? []).filter(name => test.test(name));
  if (names.length === 0) return fail(`the path ${JSON.stringify(pattern)} does not exist`);
  return names.map(entry => {
    const name = folder === '' ? entry : `${folder}/${entry}`;
    return {name, text: files.read(session.process.path(name)) ?? ''};
  });
}
