// What a level may set of an API server, with the values that kubeadm gives.
import type {Certificate, ClientCertificate} from '../../api/pki/certificate.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {AuditSettings} from './audit/audit.ts';
import type {Endpoint} from './store/connection.ts';

/** What `startApiServer` needs, and what it may be told. */
export interface ApiServerOptions {
  readonly daemon: Daemon;
  /** The members of etcd; the first is asked first. */
  readonly etcd: readonly Endpoint[];
  /** How it greets a member over TLS; absent: it speaks plainly, as in tests. */
  readonly greetEtcd?: (host: string) => ClientHello;
  readonly port?: number;
  /** The authority whose client certificates are trusted. */
  readonly clientAuthority: string;
  /** The same as who trusts it remembers it. */
  readonly clientAuthorityNames?: readonly string[];
  /** Service account tokens are signed with a key made from this: all API servers of a cluster share it. */
  readonly tokenSeed: string;
  /** The address under which the server is reached; it stands in the `kubernetes` Service's endpoints. */
  readonly advertiseAddress: string;
  readonly serviceRange?: string;
  readonly nodePortRange?: {readonly first: number; readonly last: number};
  readonly kubeletPort?: number;
  /** What the server shows to kubelets. */
  readonly kubeletClient?: ClientCertificate;
  /** The certificate of the cluster's authority as text, for config maps and the extension servers. */
  readonly authorityText?: string;
  /** What it shows to those who look at it; without one nobody can. */
  readonly served?: Certificate;
  /** The address of the machine that it listens on; all of them by default. */
  readonly bindAddress?: string;
  /** Who is asked whether a request is allowed, in order. */
  readonly authorizationModes?: readonly string[];
  /** May a request come without saying who sends it? */
  readonly anonymous?: boolean;
  /** Admission plugins that are on or off against the standard, by name. */
  readonly plugins?: {readonly on: readonly string[]; readonly off: readonly string[]};
  /** How long pods stay on a node that is not ready, or cannot be reached. */
  readonly tolerationSeconds?: {readonly notReady: number; readonly unreachable: number};
  /** What is written down of the requests, and where; absent: nothing. */
  readonly audit?: AuditSettings;
  /** For how long etcd keeps history; 0: for ever. */
  readonly compactionIntervalMs?: number;
  /** How long an Event lives. */
  readonly eventTtlSeconds?: number;
}

/** All settings, complete. */
export interface Settings {
  readonly port: number;
  readonly clientAuthority: string;
  readonly clientAuthorityNames: readonly string[];
  readonly tokenSeed: string;
  readonly advertiseAddress: string;
  readonly serviceRange: string;
  readonly nodePortRange: {readonly first: number; readonly last: number};
  readonly kubeletPort: number;
  readonly kubeletClient: ClientCertificate | undefined;
  readonly authorityText: string;
  readonly served: Certificate | undefined;
  readonly bindAddress: string;
  readonly authorizationModes: readonly string[];
  readonly anonymous: boolean;
  readonly plugins: {readonly on: readonly string[]; readonly off: readonly string[]} | undefined;
  readonly tolerationSeconds: {readonly notReady: number; readonly unreachable: number};
  readonly compactionIntervalMs: number;
  readonly eventTtlSeconds: number;
}

/** Fills in what was not said. */
export function settingsOf(options: ApiServerOptions): Settings {
  return Object.freeze({
    port: options.port ?? 6443,
    clientAuthority: options.clientAuthority,
    clientAuthorityNames: options.clientAuthorityNames ?? [],
    tokenSeed: options.tokenSeed,
    advertiseAddress: options.advertiseAddress,
    serviceRange: options.serviceRange ?? '10.96.0.0/12',
    nodePortRange: options.nodePortRange ?? {first: 30_000, last: 32_767},
    kubeletPort: options.kubeletPort ?? 10_250,
    kubeletClient: options.kubeletClient,
    authorityText: options.authorityText ?? '',
    served: options.served,
    bindAddress: options.bindAddress ?? '0.0.0.0',
    authorizationModes: options.authorizationModes ?? ['Node', 'RBAC'],
    anonymous: options.anonymous ?? true,
    plugins: options.plugins,
    tolerationSeconds: options.tolerationSeconds ?? {notReady: 300, unreachable: 300},
    compactionIntervalMs: options.compactionIntervalMs ?? 300_000,
    eventTtlSeconds: options.eventTtlSeconds ?? 3600,
  });
}

export const ISSUER = 'https://kubernetes.default.svc.cluster.local';
