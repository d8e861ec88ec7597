// Attaches to the main process of a container.
import type {Container, Pod} from '../../../api/kinds/core-v1.ts';
import {pathOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {ChannelFrame} from '../../../api/wire/http.ts';
import {fail, Failure} from '../../failure.ts';
import {defaultContainer} from '../../resources/pods.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {converse, notUpgraded, ttyOf} from './converse.ts';

const WARNING =
  'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.';

export interface AttachWish {
  /** Empty: the one that is meant when none is named. */
  readonly container: string;
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** Carries the streams until the container, or the player, ends them. A Failure tells that it never came to that. */
export async function attachTo(session: Session, pod: Pod, {container, stdin, tty}: AttachWish): Promise<Outcome> {
  const isQuiet = session.flags.on('quiet');
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed')
    return fail(`cannot attach a container in a completed pod; current phase is ${phase}`);
  const chosen = container === '' ? defaultContainer(pod) : {name: container, notice: ''};
  const target = allContainers(pod).find(({name}) => name === chosen.name);
  if (!target) return fail(`cannot attach to the container: container ${chosen.name} not found in pod ${pod.metadata.name}`);
  if (!isQuiet) await session.err(chosen.notice);
  if (tty && !target.tty && !isQuiet)
    await session.err(`error: Unable to use a TTY - container ${target.name} did not allocate one\n`);
  const isRaw = await ttyOf(session, (target.tty ?? false) && stdin);
  if (!isQuiet) await session.err(`${WARNING}\nIf you don't see a command prompt, try pressing enter.\n`);
  const api = session.api();
  if (api instanceof Failure) return api;
  const body = {container: target.name, stdin, stdout: true, stderr: !target.tty, tty: target.tty ?? false};
  const opened = await api.open<ChannelFrame>({
    method: 'POST',
    path: pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name, 'attach'),
    body,
  });
  if (opened instanceof Failure) return notUpgraded(opened);
  const outcome = await converse(session, opened, stdin);
  if (!(outcome instanceof Failure) && !isQuiet && stdin && isRaw && pod.spec?.restartPolicy === 'Always') {
    await session.out(
      `Session ended, resume using 'kubectl attach ${pod.metadata.name} -c ${target.name} -i -t' command when the pod is running\n`,
    );
  }
  return outcome;
}

function allContainers({spec}: Pod): readonly Pick<Container, 'name' | 'tty'>[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? []), ...(spec?.ephemeralContainers ?? [])];
}
