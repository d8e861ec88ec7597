// What the arguments of a command mean: `pods`, `pods web`, `pod/web`, `deploy,svc -l app=web`, `-f web.yaml`, `all`. Nothing is
// asked of the server here but what kinds there are; the result is a list of visits to make.
import {fail, Failure} from '../failure.ts';
import {findKind, kindsInCategory, qualifiedName, type KindInfo, type Kinds} from './kinds.ts';

/** One thing to look at: an object by its name, or all of a kind that match. */
export type Visit =
  | {readonly type: 'object'; readonly kind: KindInfo; readonly namespace: string; readonly name: string}
  | {
      readonly type: 'list';
      readonly kind: KindInfo;
      readonly namespace: string;
      readonly labels: string;
      readonly fields: string;
    };

/** What a command line asks for. */
export interface Wish {
  readonly args: readonly string[];
  readonly namespace: string;
  readonly allNamespaces?: boolean;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  /** `--all`: everything of the kinds. */
  readonly all?: boolean;
  /** A kind alone means all of it. */
  readonly kindAlone?: boolean;
}

/** The visits, and whether they can only be to one object. */
export interface Plan {
  readonly visits: readonly Visit[];
  readonly isSingle: boolean;
}

const MISSING = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

/** What is said when a command names no resource. */
export function missingResource(): Failure {
  return fail(MISSING);
}

/** The problem with the form of the arguments, which shows before the server is asked. */
export function checkArguments(args: readonly string[]): Failure | undefined {
  const pairs = args.filter(arg => arg.includes('/'));
  if (pairs.length === 0) return undefined;
  if (pairs.length < args.length) {
    return fail(
      "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
    );
  }
  for (const arg of args) {
    const parts = arg.split('/');
    const [kind = '', name = ''] = parts;
    if (parts.length > 2) return fail('arguments in resource/name form may not have more than one slash');
    if (kind === '' || name === '' || kind.split(',').length !== 1)
      return fail('arguments in resource/name form must have a single resource and name');
  }
  return undefined;
}

/** Works out the visits. `args` must have passed `checkArguments`. */
export function planVisits(kinds: Kinds, wish: Wish): Plan | Failure {
  const isPairs = wish.args.some(arg => arg.includes('/'));
  const [types = '', ...names] = isPairs ? [] : wish.args;
  const everything = wish.all || (wish.kindAlone && !isPairs && wish.args.length === 1 && wish.labels === undefined);
  const labels = wish.labels ?? (everything ? '' : undefined);
  const isSelection = labels !== undefined || wish.fields !== undefined;
  if (isSelection) {
    if (names.length > 0) return fail('name cannot be provided when a selector is specified');
    if (isPairs) return fail('selectors and the all flag cannot be used when passing resource/name arguments');
    if (wish.args.length === 0) return fail('at least one resource must be specified to use a selector');
    return planLists(kinds, types, {wish, labels: labels ?? ''});
  }
  if (wish.args.length === 0) return missingResource();
  return isPairs ? planPairs(kinds, wish) : planNames(kinds, wish, {types, names});
}

function planLists(kinds: Kinds, types: string, {wish, labels}: {wish: Wish; labels: string}): Plan | Failure {
  const found = resolveTypes(kinds, types);
  if (found instanceof Failure) return found;
  const visits = found.map((kind): Visit => {
    return {type: 'list', kind, namespace: scopeOf(kind, wish), labels, fields: wish.fields ?? ''};
  });
  return {visits, isSingle: false};
}

function planPairs(kinds: Kinds, wish: Wish): Plan | Failure {
  const visits: Visit[] = [];
  for (const arg of wish.args) {
    const [word = '', name = ''] = arg.split('/');
    const kind = resolveType(kinds, word);
    if (kind instanceof Failure) return kind;
    const visit = visitByName(kind, name, wish);
    if (visit instanceof Failure) return visit;
    visits.push(visit);
  }
  return {visits, isSingle: visits.length === 1};
}

function planNames(kinds: Kinds, wish: Wish, {types, names}: {types: string; names: readonly string[]}): Plan | Failure {
  const found = resolveTypes(kinds, types);
  if (found instanceof Failure) return found;
  if (names.length === 0) return fail('resource(s) were provided, but no name was specified');
  const visits: Visit[] = [];
  for (const kind of found) {
    for (const name of names) {
      const visit = visitByName(kind, name, wish);
      if (visit instanceof Failure) return visit;
      visits.push(visit);
    }
  }
  return {visits, isSingle: visits.length === 1};
}

function visitByName(kind: KindInfo, name: string, wish: Wish): Visit | Failure {
  if (kind.namespaced && wish.allNamespaces) return fail('a resource cannot be retrieved by name across all namespaces');
  return {type: 'object', kind, namespace: scopeOf(kind, wish), name};
}

function scopeOf(kind: KindInfo, wish: Wish): string {
  return kind.namespaced && !wish.allNamespaces ? wish.namespace : '';
}

/** The kinds of `pods,deploy,all`, each once. */
export function resolveTypes(kinds: Kinds, types: string): readonly KindInfo[] | Failure {
  const found = new Map<string, KindInfo>();
  for (const word of types.split(',')) {
    const category = kindsInCategory(kinds, word);
    const members = category ?? [resolveType(kinds, word)];
    for (const kind of members) {
      if (kind instanceof Failure) return kind;
      found.set(`${qualifiedName(kind)}/${category ? '' : kind.version}`, kind);
    }
  }
  return [...found.values()];
}

/** The kind of one word. */
export function resolveType(kinds: Kinds, word: string): KindInfo | Failure {
  const found = word === '' ? undefined : findKind(kinds, word);
  return found ?? fail(`the server doesn't have a resource type "${word.split('.')[0] ?? word}"`);
}
