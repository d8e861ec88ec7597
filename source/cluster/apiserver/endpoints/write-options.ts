// The options that every write has, in its query.
import {forbiddenField, notSupported, required, type FieldError} from '../../../api/meta/field-error.ts';
import {invalidObject} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import {managerErrors} from '../registry/manager-names.ts';
import type {Write} from '../registry/write.ts';

const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/** What is wrong with the options of a write; `applies` is said of patches. */
export function checkWriteOptions(write: Write, kind: string, applies?: boolean): Refused | undefined {
  const {query} = write.info;
  const options = {group: 'meta.k8s.io', kind};
  const {dryRun, fieldValidation} = query;
  const errors = [...applyErrors(query, applies), ...managerErrors(query['fieldManager'] ?? '', 'fieldManager')];
  if (errors.length > 0) return refuse(invalidObject(options, '', errors));
  if (dryRun !== undefined && dryRun !== '' && dryRun !== 'All')
    return refuse(invalidObject(options, '', [notSupported('dryRun', [dryRun], ['All'])]));
  if (fieldValidation && !VALIDATIONS.includes(fieldValidation)) {
    return refuse(invalidObject(options, '', [notSupported('fieldValidation', fieldValidation, VALIDATIONS)]));
  }
  return undefined;
}

/** An apply has a manager, and only an apply is forced. */
function applyErrors(query: Readonly<Record<string, string>>, applies: boolean | undefined): readonly FieldError[] {
  if (applies === undefined) return [];
  if (applies) return query['fieldManager'] ? [] : [required('fieldManager', 'is required for apply patch')];
  return query['force'] === undefined ? [] : [forbiddenField('force', 'may not be specified for non-apply patch')];
}
