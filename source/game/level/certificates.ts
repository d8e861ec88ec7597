// Serving certificates of a level's programs, as a certificate controller would have left them: a Secret with certificate and
// key for a pod to mount, and the authority's certificate as the caBundle of the webhooks that call it. A level file names them
// and carries no PEM.
import {certificatePem, digestOf, keyPem} from '../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../api/pki/issue.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Level} from './level.ts';

type Wanted = NonNullable<Level['cluster']['certificates']>[number];

/** The objects of a level with the Secrets of its certificates, and with the bundles filled in. Secrets come first. */
export function withCertificates({cluster, objects, id}: Level, nowMs: number): readonly AnyObject[] {
  const {certificates = []} = cluster;
  if (certificates.length === 0) return objects;
  const authorityOf = (name = `${id}-ca`) => selfSigned(name, digestOf(`${id} ${name}`, 40), nowMs);
  const bundles = new Map(
    certificates.flatMap(({webhooks = [], authority}) =>
      webhooks.map(name => [name, base64(certificatePem(authorityOf(authority)))] as const),
    ),
  );
  const secrets = certificates.map(wanted => secretOf(wanted, authorityOf(wanted.authority), nowMs));
  const namespaces = objects.filter(object => object.kind === 'Namespace');
  const others = objects.filter(object => object.kind !== 'Namespace');
  return [...namespaces, ...secrets, ...others.map(object => withBundle(object, bundles.get(object.metadata.name)))];
}

function secretOf({secret, names}: Wanted, authority: ReturnType<typeof selfSigned>, nowMs: number): AnyObject {
  const [namespace = '', name = ''] = secret.split('/');
  const certificate = issueCertificate(authority, {commonName: names[0] ?? name, usages: ['server'], dnsNames: names}, nowMs);
  const data = {
    'ca.crt': base64(certificatePem(authority)),
    'tls.crt': base64(certificatePem(certificate)),
    'tls.key': base64(keyPem(certificate.key)),
  };
  return {apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: {name, namespace}, data} as unknown as AnyObject;
}

interface Configuration {
  readonly webhooks?: readonly {readonly clientConfig?: object}[];
}

function withBundle(object: AnyObject, caBundle: string | undefined): AnyObject {
  const {webhooks} = object as AnyObject & Configuration;
  if (caBundle === undefined || !webhooks) return object;
  return {...object, webhooks: webhooks.map(hook => ({...hook, clientConfig: {...hook.clientConfig, caBundle}}))} as AnyObject;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
