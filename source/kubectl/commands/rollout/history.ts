// `kubectl rollout history`: the revisions of a workload, or the template of one of them.
import type {PodTemplateSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {templateText} from '../../describe/template.ts';
import {nameOf} from '../../print/name.ts';
import {printTyped} from '../../print/typed.ts';
import {align, DESCRIBE_TABS} from '../../print/tab-writer.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {revisionsOf, type Revision} from '../../resources/revisions.ts';
import type {Session} from '../../session.ts';
import {PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {groupKind, hasNoRollouts, hasRollouts, ROLLOUT_FLAGS, rolloutTargets, targetProblem} from './targets.ts';

export const rolloutHistory: Command = {
  path: 'kubectl rollout history',
  short: 'Show the revisions of a workload',
  examples: ['kubectl rollout history deploy/web', 'kubectl rollout history deploy/web --revision=2'],
  does: [...ROLLOUT_FLAGS, ...PRINT_FLAGS, 'revision'],
  check: targetProblem,
  run,
};

async function run(session: Session): Promise<Outcome> {
  if (session.flags.number('revision') < 0) return fail('revision must be a positive integer: ' + session.flags.text('revision'));
  const selected = await rolloutTargets(session);
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => showOne(session, found)));
}

async function showOne(session: Session, {object, kind}: Found): Promise<Failure | undefined> {
  if (!object) return undefined;
  if (hasNoRollouts(object)) return fail(`no history viewer has been implemented for ${JSON.stringify(groupKind(kind))}`);
  if (!hasRollouts(object))
    return fail(`error retrieving history for "${object.kind}", no visitor method exists for {${kind.group} ${object.kind}}`);
  const revisions = await revisionsOf(session, object);
  if (revisions instanceof Failure) return revisions;
  const wanted = session.flags.number('revision');
  if (session.flags.text('output') !== '')
    return printRevisions(
      session,
      revisions.filter(({number}) => wanted === 0 || number === wanted).map(revision => asPrinted(object, revision)),
      wanted,
    );
  const text = wanted > 0 ? detailText(revisions, wanted) : listText(revisions);
  if (text instanceof Failure) return text;
  await session.out(`${nameOf(object)} ${wanted > 0 ? `with revision #${wanted}` : ''}\n${text}\n`);
  return undefined;
}

/** A deployment's revision is its replica set; of others it is the workload as it would be. */
function asPrinted(object: AnyObject, {object: kept, template}: Revision): AnyObject {
  return object.kind === 'Deployment' ? kept : {...object, spec: {...(object.spec as object), template}};
}

async function printRevisions(session: Session, objects: readonly AnyObject[], wanted: number): Promise<Failure | undefined> {
  if (wanted > 0 && objects.length === 0) return fail(`revision ${wanted} not found`);
  return printTyped(session, objects);
}

function listText(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.';
  return align(
    [['REVISION', 'CHANGE-CAUSE'], ...revisions.map(({number, cause}) => [String(number), cause || '<none>'])],
    DESCRIBE_TABS,
  );
}

function detailText(revisions: readonly Revision[], wanted: number): string | Failure {
  const found = revisions.find(({number}) => number === wanted);
  if (revisions.length === 0) return 'No rollout history found.';
  if (!found) return fail('unable to find the specified revision');
  return templateText(withCause(found));
}

function withCause({template, cause}: Revision): PodTemplateSpec {
  if (cause === '') return template;
  const annotations = {...template.metadata?.annotations, 'kubernetes.io/change-cause': cause};
  return {...template, metadata: {...template.metadata, annotations}} as PodTemplateSpec;
}
