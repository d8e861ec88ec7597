// Which names a definition gets. Within a group each plural, singular and short name belongs to one definition, and so does each
// kind; who comes later must wait until they are free, and is not served so long. The decision is a function of the
// definitions that are there.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from '../../../api/kinds/apiextensions-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {sameValue} from '../registry/equal.ts';

type Condition = CustomResourceDefinitionCondition;

/** What a definition's status is to say; undefined when it says it already. */
export interface Naming {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly conditions: readonly Condition[];
}

const NOT_ACCEPTED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const INSTALLING: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};
const NO_NAMES: CustomResourceDefinitionNames = {plural: '', kind: ''};

/** Decides about the names of a definition, beside those of its group. */
export function planNames(definition: CustomResourceDefinition, group: readonly CustomResourceDefinition[]): Naming | undefined {
  const {spec, status} = definition;
  const accepted = status?.acceptedNames ?? NO_NAMES;
  if (sameValue(spec.names, accepted)) return undefined;
  const {names, conflict} = claim(spec.names, accepted, group);
  const naming: Condition = conflict
    ? {type: 'NamesAccepted', status: 'False', ...conflict}
    : {type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found'};
  const before = findCondition(status?.conditions, 'NamesAccepted');
  if (
    sameValue(names, accepted) &&
    before?.status === naming.status &&
    before.reason === naming.reason &&
    before.message === naming.message
  )
    return undefined;
  const established = findCondition(status?.conditions, 'Established') ?? NOT_ACCEPTED;
  const installing = established.status !== 'True' && !conflict;
  return {acceptedNames: names, conditions: [naming, installing ? INSTALLING : established]};
}

/** A definition whose names were accepted is served from the next moment on. */
export function planEstablished({status}: CustomResourceDefinition): Condition | undefined {
  const named = findCondition(status?.conditions, 'NamesAccepted')?.status === 'True';
  const established = findCondition(status?.conditions, 'Established')?.status === 'True';
  if (!named || established) return undefined;
  return {type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted'};
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Takes the names that are free. The last conflict is the one that is told. */
function claim(
  wanted: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  group: readonly CustomResourceDefinition[],
): {names: CustomResourceDefinitionNames; conflict: Conflict | undefined} {
  const taken = group.map(({status}) => status?.acceptedNames ?? NO_NAMES);
  const resources = new Set(taken.flatMap(({plural, singular, shortNames}) => [plural, singular ?? '', ...(shortNames ?? [])]));
  const kinds = new Set(taken.flatMap(({kind, listKind}) => [kind, listKind ?? '']));
  const own = new Set([...(accepted.shortNames ?? []), accepted.plural, accepted.singular]);
  let conflict: Conflict | undefined;
  const free = (word: string, reason: string, name = '', before = '', used: ReadonlySet<string> = resources): string => {
    if (name === before || !used.has(name)) return name;
    conflict = {reason: `${word}Conflict`, message: reason};
    return before;
  };
  const inUse = (name = ''): string => `${JSON.stringify(name)} is already in use`;
  const plural = free('Plural', inUse(wanted.plural), wanted.plural, accepted.plural);
  const singular = free('Singular', inUse(wanted.singular), wanted.singular, accepted.singular);
  const clashes = (wanted.shortNames ?? []).filter(name => !own.has(name) && resources.has(name));
  const texts = clashes.map(inUse);
  if (clashes.length > 0)
    conflict = {reason: 'ShortNamesConflict', message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`};
  const shortNames = clashes.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = free('Kind', inUse(wanted.kind), wanted.kind, accepted.kind, kinds);
  const listKind = free('ListKind', inUse(wanted.listKind), wanted.listKind, accepted.listKind, kinds);
  const names: CustomResourceDefinitionNames = {
    ...(wanted.categories ? {categories: wanted.categories} : {}),
    kind,
    ...(listKind ? {listKind} : {}),
    plural,
    ...(shortNames ? {shortNames} : {}),
    ...(singular ? {singular} : {}),
  };
  return {names, conflict};
}
