// `kubectl plugin list`: the plugins in PATH, and what is wrong with them.
import {goQuote} from '../../api/meta/go-text.ts';
import {fail, Failure} from '../failure.ts';
import {findLine} from '../flags/parse.ts';
import {isExecutable, listPlugins} from '../plugins.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

export const pluginList: Command = {
  path: 'kubectl plugin list',
  short: 'List the plugins in PATH',
  examples: ['kubectl plugin list'],
  does: [...COMMON_FLAGS, 'name-only'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {process} = session;
  const {paths, missing} = listPlugins(process);
  for (const folder of missing)
    await session.err(
      `Unable to read directory ${goQuote(folder)} from your PATH: open ${folder}: no such file or directory. Skipping...\n`,
    );
  const problems = paths.length > 0 ? [] : ['error: unable to find any kubectl plugins in your PATH'];
  if (paths.length > 0) await session.out('The following compatible plugins are available:\n\n');
  const seen = new Map<string, string>();
  let warnings = 0;
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    await session.out(`${session.flags.on('name-only') ? name : path}\n`);
    const found = isExecutable(process, path) ? [] : [`${path} identified as a kubectl plugin, but it is not executable`];
    const before = seen.get(name);
    if (before === undefined) seen.set(name, path);
    else found.push(`${path} is overshadowed by a similarly named plugin: ${before}`);
    const line = findLine(name.split('-').slice(1));
    if (!(line instanceof Failure)) found.push(`${name} overwrites existing command: ${goQuote(line.command.path)}`);
    for (const words of found) await session.err(`  - warning: ${words}\n`);
    warnings += found.length;
  }
  if (warnings === 1) problems.push('error: one plugin warning was found');
  if (warnings > 1) problems.push(`error: ${warnings} plugin warnings were found`);
  return problems.length === 0 ? undefined : fail(problems.map(problem => `${problem}\n`).join(''));
}
