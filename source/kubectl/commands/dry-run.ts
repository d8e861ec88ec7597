// `--dry-run`: none, client (say what would be done) or server (let the server say it).
import {fail, Failure} from '../failure.ts';
import type {Session} from '../session.ts';
import {klogTime} from '../request/klog.ts';

export type DryRun = 'none' | 'client' | 'server';

/** Runs that have had their word of warning. */
const warned = new WeakSet<Session>();

/** What the flag says. A bare `--dry-run` is the client's, with a word of warning. */
export async function dryRunOf(session: Session): Promise<DryRun | Failure> {
  const text = session.flags.text('dry-run');
  if (text === 'none' || text === '') return 'none';
  if (text === 'client' || text === 'server') return text;
  if (text === 'unchanged' || text === 'true' || text === 'false') {
    const words =
      text === 'unchanged'
        ? '--dry-run is deprecated and can be replaced with --dry-run=client.'
        : `--dry-run=${text} is deprecated (boolean value) and can be replaced with --dry-run=${text === 'true' ? 'client' : 'none'}.`;
    if (!warned.has(session))
      await session.err(
        `W${klogTime(session.process)} helpers.go:${text === 'unchanged' ? 719 : text === 'true' ? 733 : 736}] ${words}\n`,
      );
    warned.add(session);
    return text === 'false' ? 'none' : 'client';
  }
  return fail(`Invalid dry-run value (${text}). Must be "none", "server", or "client".`);
}

/** What is added to what was done. */
export function dryRunWords(operation: string, dryRun: DryRun): string {
  if (dryRun === 'none') return operation;
  return dryRun === 'client' ? `${operation} (dry run)` : `${operation} (server dry run)`;
}

/** The query of a request that may be a dry run. */
export function writeQuery(
  session: Session,
  dryRun: DryRun,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const query: Record<string, string> = {...extra};
  const manager = session.flags.text('field-manager');
  if (manager !== '') query['fieldManager'] = manager;
  if (dryRun === 'server') query['dryRun'] = 'All';
  return query;
}

/** `--validate`: how strictly the server looks at fields. */
export function validationOf(session: Session): 'Strict' | 'Warn' | 'Ignore' | Failure {
  const text = session.flags.text('validate');
  if (text === 'true' || text === 'strict') return 'Strict';
  if (text === 'warn') return 'Warn';
  if (text === 'false' || text === 'ignore') return 'Ignore';
  return fail(`invalid - validate option ${JSON.stringify(text)}; must be one of: strict (or true), warn, ignore (or false)`);
}
