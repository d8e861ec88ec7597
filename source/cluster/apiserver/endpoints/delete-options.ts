// The options of a delete: in its body, or where it has none in its query.
import type {DeleteOptions} from '../../../api/kinds/meta.ts';
import {invalid, notSupported, type FieldError} from '../../../api/meta/field-error.ts';
import {badRequest, invalidObject} from '../../../api/meta/status.ts';
import {refuse, Refused} from '../http/refused.ts';
import {bodyValue} from '../registry/body.ts';
import {decodeDeleteOptions} from '../registry/schema.ts';
import type {AskedResource} from './asked.ts';

/** Reads them. */
export function deleteOptions(asked: AskedResource): DeleteOptions | Refused {
  const {request, info} = asked;
  if (request.body !== undefined && request.body !== '') {
    const body = bodyValue(request, 'DeleteOptions');
    if (body instanceof Refused) return body;
    const decoded = decodeDeleteOptions(body.value);
    return 'error' in decoded ? refuse(badRequest(decoded.error)) : checked(decoded.options);
  }
  const {gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun} = info.query;
  if (gracePeriodSeconds !== undefined && !/^[-+]?\d+$/.test(gracePeriodSeconds))
    return refuse(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(gracePeriodSeconds)}: invalid syntax`));
  return checked({
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds: Number(gracePeriodSeconds)}),
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    ...(orphanDependents === undefined ? {} : {orphanDependents: orphanDependents !== 'false' && orphanDependents !== '0'}),
    ...(dryRun === undefined || dryRun === '' ? {} : {dryRun: [dryRun]}),
  });
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

function checked(options: DeleteOptions): DeleteOptions | Refused {
  const {propagationPolicy: policy, orphanDependents, dryRun = []} = options;
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined)
    errors.push(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  if (dryRun.some(each => each !== 'All')) errors.push(notSupported('dryRun', dryRun, ['All']));
  return errors.length === 0 ? options : refuse(invalidObject({group: 'meta.k8s.io', kind: 'DeleteOptions'}, '', errors));
}

/** Is nothing to be deleted? */
export function isDryRun(asked: AskedResource, options: DeleteOptions): boolean {
  return asked.info.query['dryRun'] === 'All' || (options.dryRun?.includes('All') ?? false);
}
