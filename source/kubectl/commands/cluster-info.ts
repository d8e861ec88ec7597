// `kubectl cluster-info`: where the control plane and the cluster's own services are.
import type {Service} from '../../api/kinds/core-v1.ts';
import {Failure} from '../failure.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

export const clusterInfo: Command = {
  path: 'kubectl cluster-info',
  short: 'Show where the control plane is',
  examples: ['kubectl cluster-info'],
  does: COMMON_FLAGS,
  run,
};

const HINT = "\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n";
const GREEN = '\u001b[32m';
const YELLOW = '\u001b[33m';
const END = '\u001b[0m';

async function run(session: Session): Promise<Outcome> {
  const outcome = await show(session);
  await session.out(HINT);
  return outcome;
}

async function show(session: Session): Promise<Outcome> {
  const kinds = await session.kinds();
  if (kinds instanceof Failure) return kinds;
  const api = session.api();
  if (api instanceof Failure) return api;
  const query = {labelSelector: 'kubernetes.io/cluster-service=true'};
  const list = await api.ask<{items?: readonly Service[]}>({
    method: 'GET',
    path: '/api/v1/namespaces/kube-system/services',
    query,
  });
  if (list instanceof Failure) return list;
  const {server} = api.connection;
  await session.out(line(session, 'Kubernetes control plane', server));
  for (const {metadata, spec} of list.items ?? []) {
    const port = spec?.ports?.find(({name}) => name !== undefined)?.name;
    const name = metadata.labels?.['kubernetes.io/name'] ?? metadata.name;
    await session.out(
      line(
        session,
        name,
        `${server}/api/v1/namespaces/${metadata.namespace ?? ''}/services/${metadata.name}${port === undefined ? '' : `:${port}`}/proxy`,
      ),
    );
  }
  return undefined;
}

function line(session: Session, name: string, link: string): string {
  const isPlain = !session.process.streams.get(1)?.isTerminal || session.process.environment.has('NO_COLOR');
  return isPlain ? `${name} is running at ${link}\n` : `${GREEN}${name}${END} is running at ${YELLOW}${link}${END}\n`;
}
