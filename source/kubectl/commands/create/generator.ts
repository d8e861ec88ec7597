// What the `create KIND` commands share: an object is made from flags, and created or printed.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {withTypedRecord} from '../apply/last-applied.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, validationOf, writeQuery} from '../dry-run.ts';
import {printResult} from '../result.ts';

/** An object as it is made from flags: no server has seen it. */
export type Draft = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly [field: string]: unknown};
};

/** One `create KIND` command. */
export interface Generator {
  readonly path: string;
  readonly short: string;
  readonly examples: readonly string[];
  /** Its own flags. */
  readonly flags: readonly string[];
  readonly required?: readonly string[];
  readonly make: (session: Session, name: string) => Draft | Failure | Promise<Draft | Failure>;
  /** What is said when the server refuses: `failed to create deployment`. Without it the server's own words. */
  readonly refusal?: string;
}

/** The command of a generator. */
export function generatorCommand(generator: Generator): Command {
  const {path, short, examples, flags, required = []} = generator;
  return {
    path,
    short,
    examples,
    required,
    check: oneName,
    run: session => run(session, generator),
    does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'dry-run', 'field-manager', 'save-config', 'validate', ...flags],
  };
}

/** There must be one name, and no less is looked at before the output is. */
export function oneName({flags, args}: Session): Failure | undefined {
  const {length} = args.slice(0, flags.argsBeforeDash);
  return length === 1 ? undefined : failUsage(flags.command.path, `exactly one NAME is required, got ${length}`);
}

/** Kinds whose commands look at an empty name themselves; of others the server says that it is none. */
const NAMED = new Set(
  'clusterrole clusterrolebinding configmap namespace poddisruptionbudget quota role rolebinding serviceaccount'.split(' '),
);

function isNamed(path: string): boolean {
  return NAMED.has(path.slice('kubectl create '.length)) || /secret (generic|docker-registry)$/.test(path);
}

async function run(session: Session, generator: Generator): Promise<Outcome> {
  const {flags, args} = session;
  const [name = ''] = args;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const validation = validationOf(session);
  if (validation instanceof Failure) return validation;
  if (name === '' && isNamed(generator.path)) return fail('name must be specified');
  const draft = await generator.make(session, name);
  if (draft instanceof Failure) return draft;
  const placed = await inNamespace(session, draft);
  if (placed instanceof Failure) return placed;
  const object = flags.on('save-config') ? withTypedRecord(placed) : placed;
  if (dryRun === 'client') return printResult(session, object, dryRunWords('created', dryRun), {typed: true});
  const created = await post(session, object, writeQuery(session, dryRun, {fieldValidation: validation}));
  if (created instanceof Failure) return refused(created, generator.refusal);
  return printResult(session, created, dryRunWords('created', dryRun), {typed: true});
}

/** The object names its namespace only when the command line does. */
async function inNamespace(session: Session, draft: Draft): Promise<AnyObject | Failure> {
  const facts = resourceOfKind(draft.apiVersion, draft.kind);
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const placed =
    facts?.namespaced && session.flags.has('namespace') ? {...draft, metadata: {...draft.metadata, namespace}} : draft;
  return placed as unknown as AnyObject;
}

/** Creates an object in the namespace of the command. */
export async function post(
  session: Session,
  object: AnyObject,
  query: Readonly<Record<string, string>>,
): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const facts = resourceOfKind(object.apiVersion, object.kind);
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  if (!facts) return fail(`no matches for kind ${JSON.stringify(object.kind)} in version ${JSON.stringify(object.apiVersion)}`);
  return api.ask<AnyObject>({method: 'POST', path: pathOf(facts, namespace), query, body: object});
}

function refused(failure: Failure, words: string | undefined): Failure {
  const {type} = failure.cause;
  const speaks = type === 'status' || type === 'unreachable';
  return words === undefined || !speaks ? failure : fail(`${words} ${failure.message}`);
}
