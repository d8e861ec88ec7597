// CustomResourceDefinitions. The server looks at a definition in a form of its own, in which what all versions have in common stands
// once, at the top: that is why errors of a sole version's schema name `spec.validation`.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../kinds/apiextensions-v1.ts';
import {APPROVAL, approvalOf} from '../../meta/api-approval.ts';
import {isConditionTrue} from '../../meta/conditions.ts';
import {type FieldPath, invalid, required, root} from '../../meta/field-error.ts';
import {checkLabel1035, checkSubdomain} from '../../meta/names.ts';
import {goStruct} from '../../schema/go-structs.ts';
import {sameJson} from '../../schema/merge/index.ts';
import {type Errors, immutable} from '../rules.ts';
import {conversion} from './conversion.ts';
import {names} from './names.ts';
import {validateSchema} from './schema.ts';
import {type Parts, enumWord, parts} from './versions.ts';

const MISSING = 'must have exactly one version marked as storage version';

/** A new definition. */
export function validateDefinition(definition: CustomResourceDefinition, errors: Errors): void {
  const {spec, metadata} = definition;
  if (metadata.name && metadata.name !== `${spec.names.plural}.${spec.group}`)
    errors.push(invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
  specRules(spec, errors);
  statusRules(definition, errors);
  approval(definition, undefined, errors);
  if (spec.preserveUnknownFields === true)
    errors.push(
      invalid(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
}

/** A changed one: what its objects are stored under stays. */
export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  before: CustomResourceDefinition,
  errors: Errors,
): void {
  const {spec} = definition;
  const path = root('spec');
  specRules(spec, errors);
  if (isConditionTrue(before.status?.conditions, 'Established')) {
    immutable(spec.scope, before.spec.scope, {path: path.child('scope'), errors});
    immutable(spec.names.kind, before.spec.names.kind, {path: path.child('names', 'kind'), errors});
  }
  immutable(spec.group, before.spec.group, {path: path.child('group'), errors});
  immutable(spec.names.plural, before.spec.names.plural, {path: path.child('names', 'plural'), errors});
  statusRules(definition, errors);
  approval(definition, before, errors);
}

/** A changed status. */
export function validateDefinitionStatus(definition: CustomResourceDefinition, errors: Errors): void {
  statusRules(definition, errors);
}

function specRules(spec: CustomResourceDefinitionSpec, errors: Errors): void {
  const path = root('spec');
  groupName(spec.group, path.child('group'), errors);
  enumWord(spec.scope, {path: path.child('scope'), of: ['Cluster', 'Namespaced']}, errors);
  const {common, own} = split(spec.versions);
  if (!common.schema?.openAPIV3Schema)
    own.forEach((version, i) => {
      if (!version.schema?.openAPIV3Schema)
        errors.push(required(path.child('versions').index(i).child('schema', 'openAPIV3Schema')));
    });
  own.forEach((version, i) => oneVersion(version, {common, path: path.child('versions').index(i)}, errors));
  const list = own.map(version => goStruct('CustomResourceDefinitionVersion', version));
  const named = spec.versions.map(version => version.name);
  if (new Set(named).size < named.length) errors.push(invalid(path.child('versions'), list, 'must contain unique version names'));
  if (spec.versions.filter(version => version.storage).length !== 1) errors.push(invalid(path.child('versions'), list, MISSING));
  const [first] = spec.versions;
  const wrong = first ? checkLabel1035(first.name) : [];
  if (first && wrong.length > 0) errors.push(invalid(path.child('version'), first.name, wrong.join(',')));
  names(spec.names, path.child('names'), errors);
  const anyStatus = spec.versions.some(version => version.subresources?.status !== undefined);
  validateSchema(common.schema?.openAPIV3Schema, {path: path.child('validation'), hasStatus: anyStatus}, errors);
  parts(common, {path, schema: common.schema?.openAPIV3Schema}, errors);
  conversion(spec.conversion, path.child('conversion'), errors);
}

function groupName(group: string, path: FieldPath, errors: Errors): void {
  const wrong = checkSubdomain(group);
  if (group === '') errors.push(required(path));
  else if (wrong.length > 0) errors.push(invalid(path, group, wrong.join(',')));
  else if (!group.includes('.')) errors.push(invalid(path, group, 'should be a domain with at least one dot'));
}

/** What all versions say alike stands at the top, and no longer in the versions. */
function split(versions: readonly CustomResourceDefinitionVersion[]): {
  common: Parts;
  own: readonly CustomResourceDefinitionVersion[];
} {
  const [first] = versions;
  if (!first) return {common: {}, own: []};
  const alike = (part: keyof Parts): boolean => versions.every(version => sameJson(version[part] ?? null, first[part] ?? null));
  const shared = (['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const).filter(alike);
  const common = Object.fromEntries(shared.filter(part => first[part] !== undefined).map(part => [part, first[part]])) as Parts;
  const bare = (version: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion =>
    Object.fromEntries(
      Object.entries(version).filter(([name]) => !shared.includes(name as keyof Parts)),
    ) as unknown as CustomResourceDefinitionVersion;
  return {common, own: versions.map(bare)};
}

function oneVersion(
  version: CustomResourceDefinitionVersion,
  {common, path}: {common: Parts; path: FieldPath},
  errors: Errors,
): void {
  const wrong = checkLabel1035(version.name);
  if (wrong.length > 0) errors.push(invalid(path.child('name'), version.name, wrong.join(',')));
  deprecationWarning(version, path.child('deprecationWarning'), errors);
  const hasStatus = (version.subresources ?? common.subresources)?.status !== undefined;
  validateSchema(version.schema?.openAPIV3Schema, {path: path.child('schema'), hasStatus}, errors);
  parts(version, {path, schema: (version.schema ?? common.schema)?.openAPIV3Schema}, errors);
}

const LONGEST_WARNING = 256;

function deprecationWarning(
  {deprecated, deprecationWarning: text}: CustomResourceDefinitionVersion,
  path: FieldPath,
  errors: Errors,
): void {
  if (text === undefined) return;
  const say = (words: string): void => void errors.push(invalid(path, text, words));
  if (!deprecated) say('can only be set for deprecated versions');
  if (text.length > LONGEST_WARNING) say('must be <= 256 characters long');
  if (text.length === 0) say('must not be an empty string');
  const at = [...text].findIndex(letter => letter !== ' ' && !/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(letter));
  if (at >= 0) say(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
}

function statusRules({spec, status}: CustomResourceDefinition, errors: Errors): void {
  const path = root('status');
  if (status?.acceptedNames) names(status.acceptedNames, path.child('acceptedNames'), errors, false);
  storedVersions(status?.storedVersions ?? [], {versions: spec.versions, path: path.child('storedVersions')}, errors);
}

function storedVersions(
  stored: readonly string[],
  {versions, path}: {versions: readonly CustomResourceDefinitionVersion[]; path: FieldPath},
  errors: Errors,
): void {
  if (stored.length === 0) {
    errors.push(invalid(path, null, 'must have at least one stored version'));
    return;
  }
  for (const {name, storage} of versions)
    if (storage && !stored.includes(name)) errors.push(invalid(path, stored, `must have the storage version ${name}`));
  stored.forEach((name, i) => {
    if (versions.some(version => version.name === name)) return;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(path.index(i), name, why));
  });
}

function approval(definition: CustomResourceDefinition, before: CustomResourceDefinition | undefined, errors: Errors): void {
  const {spec, metadata} = definition;
  const now = approvalOf(spec.group, metadata.annotations);
  if (!now || (before && approvalOf(spec.group, before.metadata.annotations)?.state === now.state)) return;
  const path = root('metadata', 'annotations').key(APPROVAL);
  if (now.state === 'missing') errors.push(required(path, now.reason));
  if (now.state === 'invalid') errors.push(invalid(path, metadata.annotations?.[APPROVAL] ?? '', now.reason));
}
