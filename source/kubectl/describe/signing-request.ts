// The page of a request for a certificate: who asks which signer for it, and what stands in it. Of the subject only the common
// name and the organizations are known here; units, countries and the like are not read.
import type {CertificateSigningRequest} from '../../api/kinds/certificates-v1.ts';
import {labelsText} from '../../api/meta/selector.ts';
import {humanDuration} from '../../api/meta/time.ts';
import {readSigningRequest} from '../../api/pki/signing-request.ts';
import {signingRequestStatus} from '../../api/tables/certificate-signing-request.ts';
import {fail} from '../failure.ts';
import {timeText, type Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';

export const describeSigningRequest: Describer = async (object, around) => {
  const request = object as unknown as CertificateSigningRequest;
  const {metadata, spec} = request;
  const asked = readSigningRequest(Buffer.from(spec.request, 'base64').toString('utf8'));
  if (!asked) return fail('Error parsing CSR: PEM block type must be CERTIFICATE REQUEST');
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Labels', labelsText(metadata.labels));
  lines.field(0, 'Annotations', labelsText(metadata.annotations));
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  lines.field(0, 'Requesting User', spec.username ?? '');
  if (spec.signerName) lines.field(0, 'Signer', spec.signerName);
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined) lines.field(0, 'Requested Duration', humanDuration(seconds * 1000));
  lines.field(0, 'Status', signingRequestStatus(request));
  lines.raw(`Subject:\n\tCommon Name:\t${asked.commonName}\n\tSerial Number:\t\n`);
  addTexts(lines, 'Organization', asked.organizations);
  const {dnsNames, emails, uris, addresses} = asked;
  if ([dnsNames, emails, uris, addresses].some(({length}) => length > 0)) lines.add(0, 'Subject Alternative Names:');
  addTexts(lines, 'DNS Names', dnsNames);
  addTexts(lines, 'Email Addresses', emails);
  addTexts(lines, 'URIs', uris);
  addTexts(lines, 'IP Addresses', addresses);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

/** The first beside the title, the others below it. */
function addTexts(lines: Lines, title: string, texts: readonly string[]): void {
  if (texts.length > 0) lines.raw(`\t${title}:\t${texts.join('\n\t\t')}\n`);
}
