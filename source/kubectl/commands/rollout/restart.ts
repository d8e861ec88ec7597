// `kubectl rollout restart`, `pause` and `resume`: changes of a workload that start, hold or go on with its rollout.
import {formatTime} from '../../../api/meta/time.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, restated, gather} from '../../failure.ts';
import {qualifiedName} from '../../resources/kinds.ts';
import {type Found, visitEach, asOne} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import {PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {sendAndPrint} from '../result.ts';
import {ROLLOUT_FLAGS, rolloutTargets, targetProblem} from './targets.ts';

interface Workload {
  readonly paused?: boolean;
  readonly template?: {readonly metadata?: {readonly annotations?: Readonly<Record<string, string>>}};
}

/** How one of the three changes an object, or why not. */
interface Sort {
  readonly operation: string;
  readonly change: (session: Session, object: AnyObject, spec: Workload) => Workload | string;
  readonly refusal: string;
  readonly kinds: readonly string[];
}

const does = [...ROLLOUT_FLAGS, ...PRINT_FLAGS, 'field-manager'];

export const rolloutRestart: Command = {
  path: 'kubectl rollout restart',
  short: 'Replace the pods of a workload by new ones',
  examples: ['kubectl rollout restart deploy/web'],
  does,
  check: targetProblem,
  run: session => run(session, RESTART),
};

export const rolloutPause: Command = {
  path: 'kubectl rollout pause',
  short: 'Hold the rollout of a deployment',
  examples: ['kubectl rollout pause deploy/web'],
  does,
  check: targetProblem,
  run: session => run(session, PAUSE),
};

export const rolloutResume: Command = {
  path: 'kubectl rollout resume',
  short: 'Go on with the rollout of a deployment',
  examples: ['kubectl rollout resume deploy/web'],
  does,
  check: targetProblem,
  run: session => run(session, RESUME),
};

const AGAIN = 'if restart has already been triggered within the past second, please wait before attempting to trigger another';

const RESTART: Sort = {
  operation: 'restarted',
  refusal: 'restarting is not supported',
  kinds: ['Deployment', 'DaemonSet', 'StatefulSet'],
  change: (session, object, spec) => {
    if (object.kind === 'Deployment' && spec.paused) return "can't restart paused deployment (run rollout resume first)";
    const now = formatTime(session.now);
    if (spec.template?.metadata?.annotations?.['kubectl.kubernetes.io/restartedAt'] === now) return AGAIN;
    const annotations = {...spec.template?.metadata?.annotations, 'kubectl.kubernetes.io/restartedAt': now};
    return {...spec, template: {...spec.template, metadata: {...spec.template?.metadata, annotations}}};
  },
};

const PAUSE: Sort = {
  operation: 'paused',
  refusal: 'pausing is not supported',
  kinds: ['Deployment'],
  change: (_session, _object, spec) => (spec.paused ? 'is already paused' : {...spec, paused: true}),
};

const RESUME: Sort = {
  operation: 'resumed',
  refusal: 'resuming is not supported',
  kinds: ['Deployment'],
  change: (_session, _object, spec) => {
    if (!spec.paused) return 'is not paused';
    const {paused: _paused, ...rest} = spec;
    return rest;
  },
};

async function run(session: Session, sort: Sort): Promise<Outcome> {
  const selected = await rolloutTargets(session);
  if (selected instanceof Failure) return selected;
  if (selected.found.length === 0 && selected.failures.length === 0) {
    const namespace = session.namespace();
    await session.err(`No resources found in ${namespace instanceof Failure ? 'default' : namespace} namespace.\n`);
  }
  // All are found before any is changed; where some are refused, what is missing counts as one failure.
  const {failures: missing, inFiles} = selected;
  const refused = await visitEach({...selected, visited: selected.found}, found => changeOne(session, found, sort));
  if (refused.length === 0) return gather(missing);
  return gather([...(missing.length > 1 || inFiles ? asOne(missing) : missing), ...refused]);
}

async function changeOne(session: Session, found: Found, sort: Sort): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  const what = `${qualifiedName(found.kind)} ${JSON.stringify(found.name)}`;
  if (!sort.kinds.includes(before.kind)) return fail(`error: ${what} ${sort.refusal}`);
  const spec = sort.change(session, before, (before.spec ?? {}) as Workload);
  if (spec === AGAIN) return fail(`failed to create patch for ${found.name}: ${AGAIN}`);
  if (typeof spec === 'string') return fail(`error: ${what} ${spec}`);
  const failure = await sendAndPrint(
    session,
    {found, before, after: {...before, spec}, type: 'strategic'},
    {operation: sort.operation, dryRun: 'none'},
  );
  return failure && restated(failure, 'failed to patch: ');
}
