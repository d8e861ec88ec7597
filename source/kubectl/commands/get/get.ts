// `kubectl get`: shows objects, as the server's tables or in another form, once or as they change.
import {fail, Failure, failRaw} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {getRaw, rawProblem} from '../raw.ts';
import {getGeneric} from './generic.ts';
import {getHuman} from './human.ts';
import {watchObjects} from './watch.ts';

const NO_RESOURCE = `You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.

error: Required resource not specified.
Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).
See 'kubectl get -h' for help and examples
`;

export const get: Command = {
  path: 'kubectl get',
  short: 'Show one or many objects',
  examples: [
    'kubectl get pods',
    'kubectl get pods -o wide',
    'kubectl get deploy web -o yaml',
    'kubectl get pods -l app=web -w',
    'kubectl get svc,endpointslices -A',
    "kubectl get pods -o jsonpath='{.items[*].status.podIP}'",
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'all-namespaces',
    'chunk-size',
    'field-selector',
    'ignore-not-found',
    'label-columns',
    'no-headers',
    'output-watch-events',
    'raw',
    'selector',
    'server-print',
    'show-kind',
    'show-labels',
    'sort-by',
    'subresource',
    'watch',
    'watch-only',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const problem = problemOf(session);
  if (problem) return problem;
  if (flags.text('raw') !== '') return getRaw(session);
  if (args.length === 0 && !session.hasFiles) return failRaw(NO_RESOURCE);
  if (flags.on('watch') || flags.on('watch-only')) return watchObjects(session);
  const names = args.some(arg => arg.includes('/')) ? 1 : args.length - 1;
  if (flags.text('subresource') !== '' && names === 0 && !session.hasFiles)
    return fail('subresource cannot be used when bulk resources are specified');
  return isHuman(session) ? getHuman(session) : getGeneric(session);
}

function problemOf(session: Session): Failure | undefined {
  const {flags, args} = session;
  if (flags.text('raw') !== '' && args.length > 0) return fail('arguments may not be passed when --raw is specified');
  if (flags.text('raw') !== '') {
    if (flags.on('watch') || flags.on('watch-only') || flags.text('selector') !== '')
      return fail('--raw may not be specified with other flags that filter the server request or alter the output');
    const wrong = rawProblem(session);
    if (wrong) return wrong;
  }
  const output = flags.text('output');
  if (flags.on('show-labels') && output !== '' && output !== 'wide')
    return fail('--show-labels option cannot be used with --output=' + output + ' and only with human-readable output');
  if (flags.on('output-watch-events') && !(flags.on('watch') || flags.on('watch-only'))) {
    return fail('--output-watch-events option can only be used with --watch or --watch-only');
  }
  return undefined;
}

function isHuman({flags}: Session): boolean {
  const output = flags.text('output');
  return (output === '' && flags.text('template') === '') || output === 'wide';
}
