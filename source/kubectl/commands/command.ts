// What a command is: its words for help, the flags that it does, and what it runs.
import type {Failure} from '../failure.ts';
import type {Session} from '../session.ts';

/** What a command came to: a failure, an exit code, or nothing for success. */
export type Outcome = Failure | number | undefined;

/** One command of kubectl. Usage, aliases and all flags of the real one are in the facts; here is what is ours. */
export interface Command {
  readonly path: string;
  /** One line for lists of commands. */
  readonly short: string;
  readonly long?: string;
  readonly examples?: readonly string[];
  /** The flags that we do; others of the real command are refused. */
  readonly does: readonly string[];
  /** Flags that must be given. */
  readonly required?: readonly string[];
  /** The exit code of its failures where it is not 1. */
  readonly failureCode?: number;
  /** What is wrong with the line before it is looked at what is to be printed. */
  readonly check?: (session: Session) => Failure | undefined;
  readonly run: (session: Session) => Promise<Outcome>;
}

/** Flags that name files. */
export const FILE_FLAGS = ['filename', 'kustomize', 'recursive'] as const;
/** Flags that choose what is printed. */
export const PRINT_FLAGS = ['output', 'template', 'show-managed-fields', 'allow-missing-template-keys'] as const;
/** Flags that every command does. */
export const COMMON_FLAGS: readonly string[] = [
  'help',
  'kubeconfig',
  'context',
  'cluster',
  'user',
  'namespace',
  'server',
  'token',
  'username',
  'password',
  'as',
  'as-group',
  'as-uid',
  'as-user-extra',
  'request-timeout',
  'insecure-skip-tls-verify',
  'certificate-authority',
  'client-certificate',
  'client-key',
  'cache-dir',
  'warnings-as-errors',
  'disable-compression',
  'tls-server-name',
  'log-flush-frequency',
  'match-server-version',
  'profile',
  'profile-output',
  'vmodule',
  'record',
  'v',
];
