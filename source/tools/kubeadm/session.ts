// What the commands of kubeadm share: how they fail, and how they reach the API server with the administrator's kubeconfig.
import type {Status} from '../../api/kinds/meta.ts';
import type {ClientCertificate} from '../../api/pki/certificate.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Files} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import type {FlagValues} from '../flags/pflags.ts';

/** Where the API server is, and how to prove who one is. */
export interface ApiAccess {
  readonly host: string;
  readonly port: number;
  readonly certificate?: ClientCertificate | undefined;
  readonly token?: string | undefined;
}

export interface KubeadmOptions {
  /** Reads a kubeconfig of the machine; why it cannot. */
  readonly connect: (files: Files, path: string) => ApiAccess | string;
  /** The machine that it is typed on. */
  readonly machine: {readonly name: string; readonly address: string};
  /** The kubelet's configuration as kubeadm writes it. */
  readonly kubeletConfig: string;
  readonly units: {start(name: string): unknown; stop(name: string): unknown};
  /** The ports that are open on it. */
  readonly ports: () => readonly number[];
  /** So many letters and digits, by chance. */
  readonly random: (count: number) => string;
}

/** kubeadm ends with an error. */
export class Failed {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export interface Session {
  readonly process: Process;
  readonly options: KubeadmOptions;
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

export const VERSION = 'v1.35.4';
const ADMIN = '/etc/kubernetes/admin.conf';
const TIMEOUT_MS = 10_000;

/** A request as the administrator: the body of a good answer, or why there is none. */
export async function ask<T>({process, options, flags}: Session, request: Request): Promise<T | Failed> {
  const path = flags.text('kubeconfig') || ADMIN;
  const access = options.connect(process.machine.files, path);
  return typeof access === 'string' ? new Failed(access) : askAs(process, access, request);
}

/** A request in the name of somebody. */
export async function askAs<T>(process: Process, access: ApiAccess, request: Request): Promise<T | Failed> {
  const {host, port, certificate, token} = access;
  const signed: Request = {
    ...request,
    scheme: 'https',
    headers: {
      accept: 'application/json',
      'user-agent': 'kubeadm/v1.35.4',
      ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
    },
    ...(certificate ? {certificate} : {}),
  };
  const reply = await process.call<Answer>(host, port, signed, TIMEOUT_MS);
  if (!reply.ok)
    return new Failed(
      `Get "https://${host}:${port}${request.path}?timeout=10s": dial tcp ${host}:${port}: connect: connection ${reply.failure === 'timeout' ? 'timed out' : 'refused'}`,
    );
  const {status, body} = reply.answer;
  if (status >= 200 && status < 300) return body as T;
  return new Failed((body as Status | undefined)?.message ?? `the server answered ${status}`);
}

/** What every command that needs the cluster's configuration says first; the configuration, or undefined where there is none. */
export async function readConfiguration(session: Session, phase: string): Promise<Record<string, string> | undefined> {
  const {process} = session;
  await process.out(
    `[${phase}] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...\n` +
      `[${phase}] Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.\n`,
  );
  const found = await ask<{data?: Record<string, string>}>(session, {
    method: 'GET',
    path: '/api/v1/namespaces/kube-system/configmaps/kubeadm-config',
  });
  return found instanceof Failed ? undefined : (found.data ?? {});
}

/** Columns with three places between them, and every cell at least eight wide. */
export function table(rows: readonly (readonly string[])[], least = 8): string {
  const columns = Math.max(...rows.map(row => row.length));
  // The title of the last column ends its line, and makes it no wider.
  const widths = Array.from({length: columns}, (_, i) =>
    Math.max(least, ...rows.slice(i === columns - 1 ? 1 : 0).map(row => (row[i]?.length ?? 0) + 3)),
  );
  return rows.map(row => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('')}\n`).join('');
}
