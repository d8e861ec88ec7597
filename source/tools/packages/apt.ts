// `apt-get`, `apt`, `apt-cache`, `apt-mark` of Debian and Ubuntu, where no mirror can be reached: they resolve its name, fail, and say so
// as apt does; what would be installed is not known to them.
//
// Not modelled: mirrors, lists and packages.
import {lookUpHost} from './look-up.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

/** The sources of a system, in the order of its list. */
const SOURCES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  debian: [
    ['http://deb.debian.org/debian', ''],
    ['http://deb.debian.org/debian', '-updates'],
    ['http://deb.debian.org/debian-security', '-security'],
  ],
  ubuntu: [
    ['http://archive.ubuntu.com/ubuntu', ''],
    ['http://archive.ubuntu.com/ubuntu', '-updates'],
    ['http://security.ubuntu.com/ubuntu', '-security'],
  ],
};

const LISTS = 'Reading package lists...\n';
const TREE = `${LISTS}Building dependency tree...\nReading state information...\n`;

/** `apt-get` and `apt`. */
export const apt: Program = async process => {
  const [command = '', ...words] = process.argv.slice(1).filter(word => !word.startsWith('-'));
  const {identity} = process.machine;
  if (command !== '' && identity && identity.uid !== 0) return locked(process);
  if (command === 'update') return update(process);
  if (command === 'install' || command === 'reinstall') return install(process, words);
  if (
    command === 'upgrade' ||
    command === 'dist-upgrade' ||
    command === 'autoremove' ||
    command === 'remove' ||
    command === 'purge'
  ) {
    await process.out(`${TREE}0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n`);
    return 0;
  }
  if (command === 'clean' || command === 'autoclean') return 0;
  await process.err(command === '' ? 'apt 3.0.3 (amd64)\nUsage: apt [options] command\n' : `E: Invalid operation ${command}\n`);
  return command === '' ? 0 : 100;
};

async function locked(process: Process): Promise<number> {
  await process.err(
    'E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)\nE: Unable to lock directory /var/lib/apt/lists/\n',
  );
  return 100;
}

async function update(process: Process): Promise<number> {
  const {system, release} = systemOf(process);
  const sources = SOURCES[system] ?? [];
  const failures: string[] = [];
  for (const [at, [url, pocket]] of sources.entries()) {
    const {host} = new URL(url);
    const found = await lookUpHost(process, host);
    const why = found
      ? `Could not connect to ${host}:80 (${found}). - connect (111: Connection refused)`
      : `Temporary failure resolving '${host}'`;
    await process.out(`Err:${at + 1} ${url} ${release}${pocket} InRelease\n  ${why}\n`);
    failures.push(`W: Failed to fetch ${url}/dists/${release}${pocket}/InRelease  ${why}\n`);
  }
  await process.out(LISTS);
  await process.err(
    `${failures.join('')}W: Some index files failed to download. They have been ignored, or old ones used instead.\n`,
  );
  return 0;
}

async function install(process: Process, words: readonly string[]): Promise<number> {
  await process.out(TREE);
  for (const word of words) await process.err(`E: Unable to locate package ${word.split('=')[0] ?? ''}\n`);
  if (words.length === 0) await process.out('0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n');
  return words.length === 0 ? 0 : 100;
}

/** `apt-cache madison|policy|search …`: nothing is in the lists. */
export const aptCache: Program = async process => {
  const [command, ...words] = process.argv.slice(1).filter(word => !word.startsWith('-'));
  if (command === 'policy' || command === 'show')
    for (const word of words) await process.err(`N: Unable to locate package ${word}\n`);
  else if (command === 'madison') for (const word of words) await process.err(`N: Unable to locate package ${word}\n`);
  return command === 'show' ? 100 : 0;
};

/** `apt-mark hold|unhold …` */
export const aptMark: Program = async process => {
  const [, ...words] = process.argv.slice(1).filter(word => !word.startsWith('-'));
  for (const word of words)
    await process.err(`E: Can't select installed nor candidate version from package '${word}' as it has neither of them\n`);
  if (words.length > 0) await process.err('E: No packages found\n');
  return words.length > 0 ? 100 : 0;
};

function systemOf({machine}: Process): {readonly system: string; readonly release: string} {
  const text = machine.files.read('/etc/os-release') ?? '';
  const value = (name: string) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1];
  return {system: value('ID') ?? 'debian', release: value('VERSION_CODENAME') ?? 'trixie'};
}
