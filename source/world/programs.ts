// Which programs are where: bash on every machine, and what it finds there by name.
import type {Toolbox} from '../cluster/runtime/surroundings.ts';
import {kubectl} from '../kubectl/main.ts';
import {shellPrograms} from '../shell/index.ts';
import type {Program} from '../sim/process/machine.ts';

/** What every Unix machine has. */
export const UNIX: ReadonlyMap<string, Program> = shellPrograms();

/** The shell of machines. */
export const bash: Program = UNIX.get('bash') ?? (() => Promise.resolve(127));

/** What the laptop has besides. */
export const LAPTOP: ReadonlyMap<string, Program> = new Map<string, Program>([...UNIX, ['kubectl', kubectl]]);

/** Small images have the same programs, and a shell of fewer words. */
const SMALL: ReadonlyMap<string, Program> = shellPrograms({flavour: 'ash'});

/** The programs of an image, by what its catalogue entry says. */
export function programsFor(tools: string | undefined): Toolbox {
  if (tools === 'none') return {program: () => undefined, programNames: () => []};
  const names = [...SMALL.keys()].sort();
  return {program: name => SMALL.get(name.slice(name.lastIndexOf('/') + 1)), programNames: () => names};
}
