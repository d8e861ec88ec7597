// Makes the visits that a command line asks for. What fails is kept and the rest goes on, so that `get a b` shows b when a is
// not there.
import type {AnyObject} from '../../api/meta/object.ts';
import {pathOf} from '../../api/meta/object.ts';
import {parseSelector} from '../../api/meta/selector-parser.ts';
import {requirementsMatcher} from '../../api/meta/selector.ts';
import type {Request} from '../../api/wire/http.ts';
import {fail, Failure, prefixed} from '../failure.ts';
import type {Session} from '../session.ts';
import {checkArguments, planVisits, type Visit} from './arguments.ts';
import {readFileObjects, type FileSource} from './files.ts';
import {selection, type Found, type Selected} from './found.ts';
import {apiVersionOf} from './kinds.ts';
import {nameProblem} from './names.ts';

export interface SelectOptions {
  readonly args?: readonly string[];
  readonly allNamespaces?: boolean;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  readonly all?: boolean;
  readonly kindAlone?: boolean;
  readonly files?: readonly FileSource[];
  readonly recursive?: boolean;
  /** Objects in files are looked up on the server. */
  readonly latest?: boolean;
  /** Objects that are named are not looked up. */
  readonly namesOnly?: boolean;
  /** Headers and query of each reading request. */
  readonly asking?: {readonly headers?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>>};
  readonly chunk?: number;
  readonly subresource?: string;
  /** Objects in files get no namespace that they do not name, and their kinds need not be served. */
  readonly asWritten?: boolean;
  /** The command is for what lives in no namespace. */
  readonly clusterScoped?: boolean;
  /** Only kinds that kubectl itself knows may stand in files. */
  readonly typed?: boolean;
  /** Files are validated by the server, or not at all. */
  readonly validate?: boolean;
}

/** Finds what the flags and arguments ask for. */
export async function select(session: Session, options: SelectOptions): Promise<Selected | Failure> {
  const {args = [], files = []} = options;
  const problem = checkArguments(args);
  if (problem) return problem;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  if (files.length > 0) return selectFiles(session, options, options.clusterScoped ? '' : namespace);
  const kinds = await session.kinds(wordsOf(args));
  if (kinds instanceof Failure) return kinds;
  const plan = planVisits(kinds, {
    args,
    namespace,
    allNamespaces: options.allNamespaces ?? false,
    labels: options.labels,
    fields: options.fields,
    all: options.all ?? false,
    kindAlone: options.kindAlone ?? false,
  });
  if (plan instanceof Failure) return plan;
  const visited: (Found | Failure)[] = [];
  for (const visit of plan.visits) visited.push(...(await makeVisit(session, visit, options)));
  return selection(visited, {isSingle: plan.isSingle});
}

/** The words of arguments that name kinds. */
export function wordsOf(args: readonly string[]): readonly string[] {
  if (args.some(arg => arg.includes('/'))) return args.map(arg => arg.split('/')[0] ?? '');
  return (args[0] ?? '').split(',').filter(word => word !== '');
}

async function selectFiles(session: Session, options: SelectOptions, namespace: string): Promise<Selected | Failure> {
  if ((options.args ?? []).length > 0) {
    return fail('when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well');
  }
  const read = await readFileObjects(session, {
    names: options.files ?? [],
    recursive: options.recursive ?? false,
    namespace,
    validate: options.validate ?? false,
    asWritten: options.asWritten ?? false,
    typed: options.typed ?? false,
  });
  if (read instanceof Failure) return read;
  const fits = matcherOf(options.labels);
  if (fits instanceof Failure) return fits;
  const isSingle = read.isSingle && read.objects.filter(one => !(one instanceof Failure)).length === 1;
  const visited: (Found | Failure)[] = [];
  for (const one of read.objects)
    if (one instanceof Failure || !options.latest) visited.push(one);
    else {
      const {kind, namespace: at, name, source} = one;
      if (kind.namespaced && at === '') {
        const what = `${kind.group}/${kind.version}, Resource=${kind.resource} ${JSON.stringify(name)}`;
        visited.push(fail(`no namespace set on resource ${what}`));
        continue;
      }
      const [latest = one] = await makeVisit(session, {type: 'object', kind, namespace: at, name}, options);
      visited.push(latest instanceof Failure ? latest : {...latest, source});
    }
  return selection(
    visited.filter(one => one instanceof Failure || fits(one)),
    {inFiles: true, isSingle},
  );
}

/** Of what stands in files, only what has the labels is meant. */
function matcherOf(labels: string | undefined): ((found: Found) => boolean) | Failure {
  if (labels === undefined) return () => true;
  const parsed = parseSelector(labels);
  if ('error' in parsed) return fail(parsed.error);
  const matches = requirementsMatcher(parsed.requirements);
  return ({object}) => matches(object?.metadata.labels);
}

/** What a visit brings, and at last why it brings no more. */
type Visited = readonly (Found | Failure)[];

async function makeVisit(session: Session, visit: Visit, options: SelectOptions): Promise<Visited> {
  if (visit.type === 'list') return listAll(session, visit, options);
  const {kind, namespace, name} = visit;
  if (options.namesOnly) return [{kind, namespace, name, object: undefined, source: ''}];
  const api = session.api();
  if (api instanceof Failure) return [api];
  const wrong = nameProblem(name);
  if (wrong) return [wrong];
  const answer = await api.ask<AnyObject>({
    method: 'GET',
    path: pathOf(kind, namespace, name, options.subresource),
    ...options.asking,
  });
  return [answer instanceof Failure ? answer : {kind, namespace, name, object: answer, source: ''}];
}

interface List {
  readonly kind?: string;
  readonly items?: readonly AnyObject[];
  readonly metadata?: {readonly continue?: string; readonly resourceVersion?: string};
}

type ListVisit = Extract<Visit, {type: 'list'}>;

/** The request for a list, from where `token` says. */
export function listRequest(
  visit: ListVisit,
  options: Pick<SelectOptions, 'asking' | 'chunk' | 'subresource'>,
  token = '',
): Request {
  const query: Record<string, string> = {...options.asking?.query};
  if (visit.labels !== '') query['labelSelector'] = visit.labels;
  if (visit.fields !== '') query['fieldSelector'] = visit.fields;
  if ((options.chunk ?? 0) > 0) query['limit'] = String(options.chunk);
  if (token !== '') query['continue'] = token;
  return {
    method: 'GET',
    path: pathOf(visit.kind, visit.namespace),
    query,
    ...(options.asking?.headers ? {headers: options.asking.headers} : {}),
  };
}

async function listAll(session: Session, visit: ListVisit, options: SelectOptions): Promise<Visited> {
  const api = session.api();
  if (api instanceof Failure) return [api];
  const found: Found[] = [];
  let token = '';
  do {
    const answer = await api.ask<List>(listRequest(visit, options, token));
    if (answer instanceof Failure) return [...found, explained(answer, visit)];
    token = answer.metadata?.continue ?? '';
    found.push(...itemsOf(answer, visit));
  } while (token !== '');
  return found;
}

/** A table is one thing to print; a list is taken apart. */
function itemsOf(list: List, {kind, namespace}: ListVisit): Found[] {
  if (list.items === undefined) return [{kind, namespace, name: '', object: list as unknown as AnyObject, source: ''}];
  return list.items.map(item => {
    // Objects in a list do not say what they are; the list does.
    const object =
      item.kind === undefined ? ({apiVersion: apiVersionOf(kind), kind: kind.kind, ...(item as object)} as AnyObject) : item;
    return {kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name, object, source: ''};
  });
}

function explained(failure: Failure, {kind, labels, fields}: ListVisit): Failure {
  if (!failure.is('BadRequest') && !failure.is('NotFound')) return failure;
  const what = `"${apiVersionOf({group: kind.group, version: kind.version}).includes('/') ? '' : '/'}${apiVersionOf(kind)}, Resource=${kind.resource}"`;
  if (labels === '' && fields === '') return prefixed(failure, `Unable to list ${what}`);
  return prefixed(
    failure,
    `Unable to find ${what} that match label selector ${JSON.stringify(labels)}, field selector ${JSON.stringify(fields)}`,
  );
}
