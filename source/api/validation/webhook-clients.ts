// Where a webhook is: an address, or a Service of the cluster.
import type {ServiceReference} from '../kinds/admissionregistration-v1.ts';
import {invalid, required, type FieldPath} from '../meta/field-error.ts';
import {checkPortNumber, checkSubdomain} from '../meta/names.ts';
import type {Errors} from './rules.ts';

const FORM = 'desired format: https://host[/path]';

/** The address of a webhook outside of the cluster. */
export function webhookAddress(url: string, path: FieldPath, errors: Errors): void {
  const [, scheme = '', , user, host = '', , query, , fragment] =
    /^(?:([a-zA-Z][\w+.-]*):)?(\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#(.*))?$/s.exec(url) ?? [];
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme; ${FORM}`));
  if (host === '') errors.push(invalid(path, host, `host must be specified; ${FORM}`));
  if (user !== undefined) errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment) errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query) errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
}

/** The Service of one inside. */
export function serviceReference(
  {name, namespace, path: at, port = 443}: ServiceReference,
  path: FieldPath,
  errors: Errors,
): void {
  if (!name) errors.push(required(path.child('name'), 'service name is required'));
  if (!namespace) errors.push(required(path.child('namespace'), 'service namespace is required'));
  if (checkPortNumber(port).length > 0)
    errors.push(invalid(path.child('port'), port, `port is not valid: ${checkPortNumber(port).join(' ')}`));
  if (at === undefined || at === '') return;
  urlPath(at, path.child('path'), errors);
}

function urlPath(text: string, path: FieldPath, errors: Errors): void {
  if (text === '/') return;
  if (text === '//') {
    errors.push(invalid(path, text, 'segment[0] may not be empty'));
    return;
  }
  if (!text.startsWith('/')) errors.push(invalid(path, text, "must start with a '/'"));
  // The first letter is taken for the slash, whatever it is.
  const steps = text.slice(1).replace(/\/$/, '').split('/');
  steps.forEach((step, i) => {
    if (step === '') errors.push(invalid(path, text, `segment[${i}] may not be empty`));
    else for (const why of checkSubdomain(step)) errors.push(invalid(path, text, `segment[${i}]: ${why}`));
  });
}
