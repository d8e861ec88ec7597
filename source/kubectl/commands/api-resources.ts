// `kubectl api-resources` and `api-versions`: what the server serves.
import {compareStrings} from '../../api/meta/go-text.ts';
import {fail, Failure, failUsage} from '../failure.ts';
import {tableText} from '../print/printer.ts';
import {printTyped} from '../print/typed.ts';
import {apiVersionOf, qualifiedName, type KindInfo} from '../resources/kinds.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';

export const apiResources: Command = {
  path: 'kubectl api-resources',
  short: 'List the kinds that the server serves',
  examples: [
    'kubectl api-resources',
    'kubectl api-resources --namespaced=false',
    'kubectl api-resources --api-group=apps -o wide',
  ],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'api-group', 'cached', 'categories', 'namespaced', 'no-headers', 'sort-by', 'verbs'],
  run: listResources,
};

export const apiVersions: Command = {
  path: 'kubectl api-versions',
  short: 'List the groups and versions that the server serves',
  examples: ['kubectl api-versions'],
  does: COMMON_FLAGS,
  run: listVersions,
};

async function listResources(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 0) return failUsage('kubectl api-resources', `unexpected arguments: [${args.join(' ')}]`);
  const output = flags.text('output');
  if (!['', 'wide', 'name', 'json', 'yaml'].includes(output))
    return fail(
      `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: json,kyaml,name,wide,yaml`,
    );
  if (!['', 'name', 'kind'].includes(flags.text('sort-by'))) return fail(`--sort-by accepts only name or kind`);
  const kinds = flags.on('cached') ? await session.kinds() : await session.freshKinds();
  if (kinds instanceof Failure) return kinds;
  const found = sorted(
    session,
    preferred(kinds.all).filter(kind => fits(session, kind)),
  );
  if (output === 'json' || output === 'yaml') return printObjects(session, found);
  if (output === 'name') await session.out(found.map(kind => `${qualifiedName(kind)}\n`).join(''));
  else await session.out(tableText(rowsOf(session, found)));
  return undefined;
}

/** Of each kind the first version that its group serves. */
function preferred(kinds: readonly KindInfo[]): readonly KindInfo[] {
  const seen = new Map<string, KindInfo>();
  for (const kind of kinds) if (!seen.has(qualifiedName(kind))) seen.set(qualifiedName(kind), kind);
  return [...seen.values()];
}

function fits({flags}: Session, kind: KindInfo): boolean {
  if (kind.verbs.length === 0) return false;
  if (flags.has('api-group') && flags.text('api-group') !== kind.group) return false;
  if (flags.has('namespaced') && flags.on('namespaced') !== kind.namespaced) return false;
  if (!flags.list('verbs').every(verb => kind.verbs.includes(verb))) return false;
  return flags.list('categories').every(category => kind.categories.includes(category));
}

function sorted({flags}: Session, kinds: readonly KindInfo[]): readonly KindInfo[] {
  const order = flags.text('sort-by');
  if (order === 'name') return kinds.toSorted((a, b) => compareStrings(a.resource, b.resource));
  if (order === 'kind') return kinds.toSorted((a, b) => compareStrings(a.kind, b.kind));
  return kinds.toSorted((a, b) => compareStrings(a.group, b.group) || compareStrings(a.resource, b.resource));
}

function rowsOf({flags}: Session, kinds: readonly KindInfo[]): string[][] {
  const isWide = flags.text('output') === 'wide';
  const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(isWide ? ['VERBS', 'CATEGORIES'] : [])];
  const rows = kinds.map(kind => {
    const wide = isWide ? [kind.verbs.join(','), kind.categories.join(',')] : [];
    return [kind.resource, kind.shortNames.join(','), apiVersionOf(kind), String(kind.namespaced), kind.kind, ...wide];
  });
  return flags.on('no-headers') ? rows : [header, ...rows];
}

async function printObjects(session: Session, kinds: readonly KindInfo[]): Promise<Outcome> {
  const resources = kinds.map(({resource, singular, namespaced, group, version, kind, verbs, shortNames, categories}) => ({
    name: resource,
    singularName: singular,
    namespaced,
    ...(group === '' ? {} : {group}),
    version,
    kind,
    verbs,
    ...(shortNames.length > 0 ? {shortNames} : {}),
    ...(categories.length > 0 ? {categories} : {}),
  }));
  return printTyped(session, [{kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources} as never]);
}

async function listVersions(session: Session): Promise<Outcome> {
  if (session.args.length > 0) return failUsage('kubectl api-versions', `unexpected arguments: [${session.args.join(' ')}]`);
  const kinds = await session.freshKinds();
  if (kinds instanceof Failure) return kinds;
  await session.out(
    kinds.versions
      .map(apiVersionOf)
      .toSorted(compareStrings)
      .map(text => `${text}\n`)
      .join(''),
  );
  return undefined;
}
