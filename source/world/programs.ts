// Which programs are where: bash on every machine, and what it finds there by name.
import type {Toolbox} from '../cluster/runtime/surroundings.ts';
import {kubectl} from '../kubectl/main.ts';
import {makeBash} from '../shell/bash.ts';
import type {Program} from '../sim/process/machine.ts';

/** The shell of machines. */
export const bash: Program = makeBash();

const sh: Program = makeBash({flavour: 'ash'});

/** What every Unix machine has. */
export const UNIX: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['bash', bash],
  ['sh', bash],
]);

/** What the laptop has besides. */
export const LAPTOP: ReadonlyMap<string, Program> = new Map<string, Program>([...UNIX, ['kubectl', kubectl]]);

const SMALL: ReadonlyMap<string, Program> = new Map<string, Program>([...UNIX, ['sh', sh]]);

/** The programs of an image, by what its catalogue entry says. */
export function programsFor(tools: string | undefined): Toolbox {
  if (tools === 'none') return {program: () => undefined, programNames: () => []};
  const names = [...SMALL.keys()].sort();
  return {program: name => SMALL.get(name.slice(name.lastIndexOf('/') + 1)), programNames: () => names};
}
