// How a definition's versions become each other.
import type {CustomResourceConversion} from '../../kinds/apiextensions-v1.ts';
import {type FieldPath, forbiddenField, invalid, required} from '../../meta/field-error.ts';
import {checkLabel1035} from '../../meta/names.ts';
import type {Errors} from '../rules.ts';
import {serviceReference, webhookAddress} from '../webhook-clients.ts';
import {enumWord} from './versions.ts';

const REVIEWS = ['v1', 'v1beta1'];
const NOT_NEEDED = 'should not be set when strategy is not set to Webhook';

/** The conversion of a definition. */
export function conversion(conversion: CustomResourceConversion | undefined, path: FieldPath, errors: Errors): void {
  if (!conversion) return;
  const {strategy, webhook} = conversion;
  const versions = webhook?.conversionReviewVersions ?? [];
  const client = path.child('webhookClientConfig');
  enumWord(strategy, {path: path.child('strategy'), of: ['None', 'Webhook']}, errors);
  if (strategy !== 'Webhook') {
    if (webhook?.clientConfig) errors.push(forbiddenField(client, NOT_NEEDED));
    if (versions.length > 0) errors.push(forbiddenField(path.child('conversionReviewVersions'), NOT_NEEDED));
    return;
  }
  const {url, service} = webhook?.clientConfig ?? {};
  if (!webhook?.clientConfig) errors.push(required(client, 'required when strategy is set to Webhook'));
  else if ((url === undefined) === (service === undefined))
    errors.push(required(client, 'exactly one of url or service is required'));
  else if (url !== undefined) webhookAddress(url, client.child('url'), errors);
  else if (service) serviceReference(service, client.child('service'), errors);
  reviewVersions(versions, path.child('conversionReviewVersions'), errors);
}

function reviewVersions(versions: readonly string[], path: FieldPath, errors: Errors): void {
  if (versions.length === 0) {
    errors.push(required(path));
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) errors.push(invalid(path.index(i), version, 'duplicate version'));
    else for (const text of checkLabel1035(version)) errors.push(invalid(path.index(i), version, text));
  });
  if (!versions.some(version => REVIEWS.includes(version)))
    errors.push(invalid(path, versions, `must include at least one of ${REVIEWS.join(', ')}`));
}
