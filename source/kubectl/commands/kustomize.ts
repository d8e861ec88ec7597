// `kubectl kustomize`: prints the objects that a folder's kustomization stands for.
import {printYaml} from '../../api/yaml/print.ts';
import {fail, Failure} from '../failure.ts';
import {buildKustomization} from '../kustomize/build.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

export const kustomize: Command = {
  path: 'kubectl kustomize',
  short: 'Print the objects that a kustomization stands for',
  examples: ['kubectl kustomize overlays/production', 'kubectl kustomize'],
  does: [...COMMON_FLAGS, 'output'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {args, flags, process} = session;
  if (args.length > 1) return fail('specify one path to kustomization.yaml');
  const {result, warnings} = buildKustomization(process, args[0] ?? '.');
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
