// The flags of a port that components serve: they are the same for the API server, the controller-manager and the scheduler.
import type {Flags} from './flags.ts';
import type {LaunchMachine} from './launch.ts';

const VERSIONS = ['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'];
const SUITE = /^TLS_[A-Z0-9_]+$/;

/** A port that cannot be; `required` where it cannot be switched off. */
export function whyBadPort(flags: Flags, required: boolean): string | undefined {
  const port = flags.number('secure-port');
  if (port > 65_535 || (required && port < 1))
    return `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`;
  return port < 0 ? `--secure-port ${port} must be between 0 and 65535, inclusive. 0 for turning off secure port` : undefined;
}

/** What is wrong with the address: it is none of this machine's. */
export function whyNoListener(flags: Flags, machine: LaunchMachine, port: number): string | undefined {
  const address = flags.text('bind-address');
  if (port === 0 || machine.isLocal(address)) return undefined;
  return cannotListen(`${address}:${port}`, 'cannot assign requested address');
}

/** Why a listener could not be made. */
export function cannotListen(at: string, why: string): string {
  return `failed to create listener: failed to listen on ${at}: listen tcp ${at}: bind: ${why}`;
}

/** What is wrong with how it is to speak TLS. */
export function whyBadTls(flags: Flags): string | undefined {
  const suite = flags.list('tls-cipher-suites').find(each => !SUITE.test(each));
  if (suite !== undefined) return `Cipher suite ${suite} not supported or doesn't exist`;
  const version = flags.text('tls-min-version');
  return VERSIONS.includes(version) ? undefined : `unknown tls version ${JSON.stringify(version)}`;
}
