// Whom kubectl trusts: the authorities of the kubeconfig or of `--certificate-authority`, under which name the server must be known,
// or nobody asked. Without any authority only those of the system count, and they vouch for no cluster.
import {readCertificates, trusted} from '../../api/pki/certificate.ts';
import {pemBlocks} from '../../api/pki/pem.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import type {Process} from '../../sim/process/process.ts';
import {fail, type Failure} from '../failure.ts';
import type {Values} from '../flags/values.ts';
import {textOf, type Entry} from './kubeconfig.ts';

/** What is asked of a server's certificate. */
export type Trust = Pick<ClientHello, 'trusts' | 'name'>;

interface Asked {
  readonly process: Process;
  readonly flags: Values;
  readonly cluster: Entry;
  /** The name of the cluster's entry. */
  readonly called: string;
  readonly host: string;
  readonly besides: (process: Process, file: string, name: string) => string;
}

/** What the cluster's entry asks for, with the flags laid over it: a flag of trust takes the place of all that the entry says of it. */
export function trustOf({process, flags, cluster, called, host, besides}: Asked): Trust | Failure {
  const {fields, file} = cluster;
  const flag = flags.global('certificate-authority');
  const isOverlaid = flag !== '' || flags.on('insecure-skip-tls-verify');
  const isInsecure = isOverlaid ? flags.on('insecure-skip-tls-verify') : fields['insecure-skip-tls-verify'] === true;
  const data = isOverlaid ? '' : textOf(fields['certificate-authority-data']);
  const named = isOverlaid ? flag : textOf(fields['certificate-authority']);
  const name = flags.global('tls-server-name') || textOf(fields['tls-server-name']) || host;
  const path = flag === '' ? besides(process, file, named) : process.path(named);
  const read = data === '' && named !== '' ? process.machine.files.read(path) : '';
  if (read === undefined) {
    return fail(`unable to read certificate-authority ${named} for ${called} due to open ${named}: no such file or directory`);
  }
  if (isInsecure && (data !== '' || named !== ''))
    return fail('specifying a root certificates file with the insecure flag is not allowed');
  if (isInsecure) return {trusts: undefined, name};
  const text = data === '' ? read : Buffer.from(data, 'base64').toString('utf8');
  if (text === '') return {trusts: [], name};
  const authorities = readCertificates(text);
  if (authorities.length > 0) return {trusts: authorities.map(trusted), name};
  const why = pemBlocks(text).some(({label}) => label === 'CERTIFICATE')
    ? 'failed to parse certificate: x509: malformed certificate'
    : 'unable to parse bytes as PEM block';
  return fail(`unable to load root certificates: ${why}`);
}

/** A pod trusts the authority that its service account names. */
export function podTrust(text: string | undefined, host: string): Trust {
  return {trusts: readCertificates(text ?? '').map(trusted), name: host};
}
