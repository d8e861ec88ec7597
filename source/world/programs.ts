// Which programs are where: bash on every machine, and what it finds there by name.
import type {Toolbox} from '../cluster/runtime/surroundings.ts';
import {kubectl} from '../kubectl/main.ts';
import {busyboxNslookup, busyboxPs, httpd, python, shellPrograms, smallNslookup} from '../shell/index.ts';
import {agnhost} from '../tools/agnhost/agnhost.ts';
import {dd} from '../tools/busybox/dd.ts';
import {mount} from '../tools/busybox/mount.ts';
import {asBusybox} from '../tools/busybox/words.ts';
import {crictl} from '../tools/crictl/crictl.ts';
import {makeNginx} from '../tools/nginx/nginx.ts';
import type {Program} from '../sim/process/machine.ts';
import {apk} from '../tools/packages/apk.ts';
import {apt, aptCache, aptMark} from '../tools/packages/apt.ts';
import {perl} from '../tools/perl/perl.ts';
import {redisCli} from '../tools/redis/cli.ts';
import {openssl} from '../tools/openssl/openssl.ts';

/** What every Unix machine has. */
export const UNIX: ReadonlyMap<string, Program> = shellPrograms();

/** The shell of machines. */
export const bash: Program = UNIX.get('bash') ?? (() => Promise.resolve(127));

/** What the laptop has besides. */
export const LAPTOP: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...UNIX,
  ['crictl', crictl],
  ['kubectl', kubectl],
  ['openssl', openssl],
]);

const SHELLS = new Set(['sh', 'bash', 'ash']);

/** Small images have the same programs, and a shell of fewer words. */
const SMALL: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...[...shellPrograms({flavour: 'ash'})].map(([name, program]): [string, Program] => [
    name,
    SHELLS.has(name) ? program : asBusybox(program),
  ]),
  ['dd', dd],
  ['httpd', httpd],
  ['mount', mount],
  ['ps', busyboxPs],
]);

/** The entrypoint of the curl image: runs the command that it gets, or curl with it. */
const runOrCurl: Program = process => {
  const [, first = ''] = process.argv;
  const {machine} = process;
  const named = first.startsWith('-') ? undefined : machine.program(first);
  const curl = machine.program('curl');
  if (named) return process.exec(named, process.argv.slice(1), process.environment);
  if (curl) return process.exec(curl, ['curl', ...process.argv.slice(1)], process.environment);
  return Promise.resolve(127);
};

const BASH_TOO = new Set(['bash', 'curl']);
const BUSYBOX = without(SMALL, BASH_TOO);
const NOT_OF_DEBIAN = new Set(['curl', 'wget', 'nslookup', 'dig', 'ps', 'ping', 'vi', 'nc', 'telnet', 'watch']);
const NOT_OF_RED_HAT = new Set([...NOT_OF_DEBIAN].filter(name => name !== 'curl'));
/** Package managers, where no mirror is. */
export const APT: readonly (readonly [string, Program])[] = [
  ['apt-get', apt],
  ['apt', apt],
  ['apt-cache', aptCache],
  ['apt-mark', aptMark],
];
const DEBIAN = new Map<string, Program>([...without(UNIX, NOT_OF_DEBIAN), ...APT]);

/** The programs of images, by the word that the catalogue has for them (`tools`). */
const TOOLS: ReadonlyMap<string, ReadonlyMap<string, Program>> = new Map([
  ['none', new Map<string, Program>()],
  ['busybox', BUSYBOX],
  ['curl', new Map([...SMALL, ['entrypoint.sh', runOrCurl]])],
  ['debian', DEBIAN],
  ['ubuntu', new Map([...DEBIAN, ...only(UNIX, 'ps')])],
  ['alpine', new Map<string, Program>([...BUSYBOX, ['apk', apk]])],
  ['redhat', without(UNIX, NOT_OF_RED_HAT)],
  ['redis', new Map<string, Program>([...DEBIAN, ['redis-cli', redisCli], ['valkey-cli', redisCli]])],
  ['perl', new Map<string, Program>([...DEBIAN, ['perl', perl]])],
  ['python', new Map<string, Program>([...DEBIAN, ['python', python], ['python3', python]])],
  ['netshoot', new Map<string, Program>([...UNIX, ['zsh', bash], ['openssl', openssl]])],
  ['kubectl', new Map<string, Program>([...UNIX, ['kubectl', kubectl]])],
  ['agnhost', new Map<string, Program>([...SMALL, ['agnhost', agnhost]])],
  ['nginx', new Map([...BUSYBOX, ...only(SMALL, 'curl'), ...only(UNIX, 'bash'), ...APT])],
]);

/** What an image brings besides, by the first word of what its entry says, with the second as its version. */
const OWN: Readonly<Record<string, (version: string) => readonly [string, Program]>> = {
  nginx: version => ['nginx', makeNginx(version)],
  busybox: version => ['nslookup', /^1\.([01]?\d|2[0-8])(\.|$)/.test(version) ? smallNslookup : asBusybox(busyboxNslookup)],
};

/** The programs of an image, by what its catalogue entry says; all of a small one's where it says nothing. */
export function programsFor(tools: string | undefined): Toolbox {
  const [kind = '', version = ''] = (tools ?? '').split(' ');
  const common = TOOLS.get(kind) ?? SMALL;
  const own = OWN[kind]?.(version);
  const programs = own ? new Map([...common, own]) : common;
  const names = [...programs.keys()].sort();
  return {program: name => programs.get(name.slice(name.lastIndexOf('/') + 1)), programNames: () => names};
}

function without(programs: ReadonlyMap<string, Program>, names: ReadonlySet<string>): ReadonlyMap<string, Program> {
  return new Map([...programs].filter(([name]) => !names.has(name)));
}

function only(programs: ReadonlyMap<string, Program>, wanted: string): ReadonlyMap<string, Program> {
  return new Map([...programs].filter(([name]) => name === wanted));
}
