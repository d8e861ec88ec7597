// `kubectl rollout undo`: brings back the template of an earlier revision.
import type {Deployment} from '../../../api/kinds/apps-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {templateText} from '../../describe/template.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {revisionsOf, sameTemplate, withoutHash, type Revision} from '../../resources/revisions.ts';
import type {Session} from '../../session.ts';
import {PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, type DryRun} from '../dry-run.ts';
import {printResult} from '../result.ts';
import {groupKind, hasNoRollouts, hasRollouts, ROLLOUT_FLAGS, rolloutTargets, targetProblem} from './targets.ts';

export const rolloutUndo: Command = {
  path: 'kubectl rollout undo',
  short: 'Go back to an earlier revision',
  examples: ['kubectl rollout undo deploy/web', 'kubectl rollout undo deploy/web --to-revision=3'],
  does: [...ROLLOUT_FLAGS, ...PRINT_FLAGS, 'dry-run', 'to-revision'],
  check: targetProblem,
  run,
};

/** Annotations that a Deployment keeps when it goes back. */
const KEPT = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);

async function run(session: Session): Promise<Outcome> {
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const selected = await rolloutTargets(session);
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => undoOne(session, found, dryRun)));
}

async function undoOne(session: Session, found: Found, dryRun: DryRun): Promise<Failure | undefined> {
  const {object} = found;
  if (!object) return undefined;
  if (hasNoRollouts(object)) return fail(`no rollbacker has been implemented for ${JSON.stringify(groupKind(found.kind))}`);
  if (!hasRollouts(object))
    return fail(
      `error retrieving rollbacker for "${object.kind}", no visitor method exists for {${found.kind.group} ${object.kind}}`,
    );
  const to = session.flags.number('to-revision');
  if (to < 0) return fail(`unable to find specified revision ${to} in history`);
  const revision = await findRevision(session, object, to);
  if (revision instanceof Failure) return revision;
  const now = (object.spec as {template?: Revision['template']}).template;
  const preview = `${object.kind === 'Deployment' ? '' : 'will roll back to '}${templateText(revision.template)}`;
  if (dryRun === 'client') return printResult(session, object, dryRunWords(preview, dryRun));
  if (sameTemplate(revision.template, now))
    return printResult(
      session,
      object,
      dryRunWords(`skipped rollback (current template already matches revision ${to})`, dryRun),
    );
  if ((object as unknown as Deployment).spec?.paused)
    return fail("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again");
  const api = session.api();
  if (api instanceof Failure) return api;
  const patch =
    object.kind === 'Deployment'
      ? deploymentPatch(object, revision)
      : {type: PATCH_TYPES.strategic, body: (revision.object as {data?: unknown}).data};
  const query: Record<string, string> = dryRun === 'server' ? {dryRun: 'All'} : {};
  const answer = await api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(found.kind, found.namespace, found.name),
    query,
    headers: {'content-type': patch.type},
    body: patch.body,
  });
  return answer instanceof Failure ? answer : printResult(session, object, dryRunWords('rolled back', dryRun));
}

async function findRevision(session: Session, object: AnyObject, to: number): Promise<Revision | Failure> {
  const revisions = await revisionsOf(session, object);
  if (revisions instanceof Failure) return revisions;
  if (to > 0) return revisions.find(({number}) => number === to) ?? fail(`unable to find specified revision ${to} in history`);
  const previous = revisions.at(-2);
  if (previous) return previous;
  return fail(
    object.kind === 'Deployment'
      ? `no rollout history found for deployment ${JSON.stringify(object.metadata.name)}`
      : 'no last revision to roll back to',
  );
}

function deploymentPatch(deployment: AnyObject, revision: Revision): {type: string; body: unknown} {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => KEPT.has(key));
  const back = Object.entries(revision.object.metadata.annotations ?? {}).filter(([key]) => !KEPT.has(key));
  return {
    type: PATCH_TYPES.json,
    body: [
      {op: 'replace', path: '/spec/template', value: withoutHash(revision.template)},
      {op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...own, ...back])},
    ],
  };
}
