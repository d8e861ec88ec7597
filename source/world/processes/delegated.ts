// What the controller-manager and the scheduler share with any server that lets the API server judge its own callers: two further
// kubeconfigs, and the authorities of their clients. They are read at the start, and a wrong one ends the process.
import {readCertificates} from '../../api/pki/certificate.ts';
import type {Flags} from './flags.ts';
import {readKubeconfig} from './kubeconfig-file.ts';
import type {Launch} from './launch.ts';
import {readPair, readText} from './secrets.ts';
import {whyBadTls, whyNoListener} from './serving-flags.ts';

/** Why it cannot serve its port. */
export function whyNotServing({files, machine}: Launch, flags: Flags, standardPort: number): string | undefined {
  const port = flags.given('secure-port') === undefined ? standardPort : flags.number('secure-port');
  const unheard = whyNoListener(flags, machine, port);
  if (unheard !== undefined) return unheard;
  const [certificate, key] = [flags.text('tls-cert-file'), flags.text('tls-private-key-file')];
  const pair = certificate === '' && key === '' ? undefined : readPair(files, certificate, key);
  if (pair?.ok === false) return pair.why;
  const tls = whyBadTls(flags);
  if (tls !== undefined) return tls;
  return (
    whyUnknown({files}, flags, 'authentication') ?? whyNoClients({files}, flags) ?? whyUnknown({files}, flags, 'authorization')
  );
}

type Place = Pick<Launch, 'files'>;

function whyUnknown({files}: Place, flags: Flags, what: 'authentication' | 'authorization'): string | undefined {
  const path = flags.text(`${what}-kubeconfig`);
  const read = path === '' ? undefined : readKubeconfig(files, path);
  const words = `failed to get delegated ${what} kubeconfig: `;
  return read?.ok === false ? words + words + read.why : undefined;
}

function whyNoClients({files}: Place, flags: Flags): string | undefined {
  const bundles = [
    ['client-ca-file', 'client-ca-bundle', 'unable to load client CA provider'],
    ['requestheader-client-ca-file', 'request-header', 'unable to create request header authentication config'],
  ] as const;
  for (const [flag, name, words] of bundles) {
    const path = flags.text(flag);
    const read = path === '' ? undefined : readText(files, path);
    if (read?.ok === false) return `${words}: ${read.why}`;
    if (read && readCertificates(read.value).length === 0)
      return `${words}: error loading CA bundle for "${name}::${path}": data does not contain any valid RSA or ECDSA certificates`;
  }
  return undefined;
}
