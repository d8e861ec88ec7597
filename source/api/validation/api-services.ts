// APIServices: which versions there are, and who serves them.
import type {APIService} from '../kinds/apiregistration-v1.ts';
import {invalid, required, root} from '../meta/field-error.ts';
import {checkLabel1035, checkPortNumber, checkSubdomain} from '../meta/names.ts';
import type {Errors} from './rules.ts';

const MOST_GROUP_PRIORITY = 20_000;
const MOST_VERSION_PRIORITY = 1000;

/** A version of a group. */
export function validateAPIService({metadata, spec}: APIService, errors: Errors): void {
  const path = root('spec');
  const {
    group = '',
    version = '',
    service,
    caBundle = '',
    insecureSkipTLSVerify = false,
    groupPriorityMinimum,
    versionPriority,
  } = spec ?? {};
  const wanted = `${version}.${group}`;
  if (metadata.name !== wanted)
    errors.push(invalid('metadata.name', metadata.name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`));
  if (group === '' && version !== 'v1')
    errors.push(required(path.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  const [wrongGroup] = group === '' ? [] : checkSubdomain(group);
  if (wrongGroup !== undefined) errors.push(invalid(path.child('group'), group, wrongGroup));
  const [wrongVersion] = checkLabel1035(version);
  if (wrongVersion !== undefined) errors.push(invalid(path.child('version'), version, wrongVersion));
  if (!(groupPriorityMinimum > 0 && groupPriorityMinimum <= MOST_GROUP_PRIORITY))
    errors.push(
      invalid(path.child('groupPriorityMinimum'), groupPriorityMinimum, `must be positive and less than ${MOST_GROUP_PRIORITY}`),
    );
  if (!(versionPriority > 0 && versionPriority <= MOST_VERSION_PRIORITY))
    errors.push(
      invalid(path.child('versionPriority'), versionPriority, `must be positive and less than ${MOST_VERSION_PRIORITY}`),
    );
  if (!service) {
    const bytes = Buffer.from(caBundle, 'base64').length;
    if (bytes > 0) errors.push(invalid(path.child('caBundle'), `${bytes} bytes`, 'local APIServices may not have a caBundle'));
    if (insecureSkipTLSVerify)
      errors.push(invalid(path.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'));
    return;
  }
  if (!service.namespace) errors.push(required(path.child('service', 'namespace')));
  if (!service.name) errors.push(required(path.child('service', 'name')));
  const wrongPort = checkPortNumber(service.port ?? 443);
  if (wrongPort.length > 0)
    errors.push(invalid(path.child('service', 'port'), service.port, `port is not valid: ${wrongPort.join(' ')}`));
  if (insecureSkipTLSVerify && caBundle !== '')
    errors.push(invalid(path.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
}
