// `kubectl kustomize`: prints the objects that a folder's kustomization stands for.
import {printYaml} from '../../api/yaml/print.ts';
import {fail, Failure} from '../failure.ts';
import {buildKustomization} from '../kustomize/build.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

/** What plugins and charts would be given: there are none here, and who has none does without. */
const FOR_PLUGINS =
  'as-current-user enable-alpha-plugins enable-helm env helm-api-versions helm-command helm-debug helm-kube-version mount network network-name'.split(
    ' ',
  );

export const kustomize: Command = {
  path: 'kubectl kustomize',
  short: 'Print the objects that a kustomization stands for',
  examples: ['kubectl kustomize overlays/production', 'kubectl kustomize'],
  does: [...COMMON_FLAGS, 'output', 'load-restrictor', ...FOR_PLUGINS],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {args, flags, process} = session;
  if (args.length > 1) return fail('specify one path to kustomization.yaml');
  const restrictor = flags.text('load-restrictor');
  if (!['', 'LoadRestrictionsNone', 'LoadRestrictionsRootOnly'].includes(restrictor))
    return fail(
      `illegal flag value --load-restrictor ${restrictor}; legal values: [LoadRestrictionsRootOnly LoadRestrictionsNone]`,
    );
  const {result, warnings} = buildKustomization(process, args[0] ?? '.', restrictor === 'LoadRestrictionsNone');
  await session.err(warnings);
  if (result instanceof Failure) return result;
  const text = result.map(object => printYaml(object)).join('---\n');
  const output = flags.text('output');
  if (output === '') await session.out(text);
  else {
    const failed = process.machine.files.write(process.path(output), text);
    if (failed) return fail(`open ${output}: no such file or directory`);
  }
  return undefined;
}
