// The programs that every machine has, by name, in reading order.
import type {Program} from '../../sim/process/machine.ts';
import {awk} from './awk/awk.ts';
import {cat} from './cat.ts';
import {chroot} from './chroot.ts';
import {cmp} from './cmp.ts';
import {cp, mv} from './copy.ts';
import {cut} from './cut.ts';
import {date} from './date.ts';
import {base64, md5sum, sha1sum, sha256sum, sha512sum} from './digests.ts';
import {diff} from './diff/diff.ts';
import {df, du} from './disk.ts';
import {env, printenv} from './env.ts';
import {find} from './find.ts';
import {chmod, chown, mkdir, mktemp, rm, rmdir, touch} from './folders.ts';
import {egrep, fgrep, grep} from './grep.ts';
import {head} from './head.ts';
import {groups, id, whoami} from './identity.ts';
import {link, ln, readlink, realpath, unlink} from './links.ts';
import {ls} from './ls.ts';
import {man} from './man.ts';
import {nohup} from './nohup.ts';
import {paste} from './paste.ts';
import {basename, dirname} from './paths.ts';
import {killall, killProgram, pgrep, pidof, pkill, ps, uptime} from './processes.ts';
import {sed} from './sed/sed.ts';
import {seq} from './seq.ts';
import {shuf} from './shuf.ts';
import {sleep} from './sleep.ts';
import * as small from './small.ts';
import {sort} from './sort/sort.ts';
import {stat} from './stat.ts';
import {tac} from './tac.ts';
import {tail} from './tail.ts';
import {tar} from './tar.ts';
import {tee} from './tee.ts';
import {textTool, textToolNames} from './text-tools.ts';
import {timeout} from './timeout.ts';
import {tr} from './tr.ts';
import {truncate} from './truncate.ts';
import {uniq} from './uniq.ts';
import {watch} from './watch.ts';
import {wc} from './wc.ts';
import {which} from './which.ts';
import {xargs} from './xargs.ts';
import {yes} from './yes.ts';

/** All of them. */
export const coreutils: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...textToolNames.map(name => [name, textTool(name)] as const),
  ['cat', cat],
  ['tac', tac],
  ['head', head],
  ['tail', tail],
  ['tar', tar],
  ['tee', tee],
  ['grep', grep],
  ['egrep', egrep],
  ['fgrep', fgrep],
  ['sed', sed],
  ['awk', awk],
  ['sort', sort],
  ['paste', paste],
  ['shuf', shuf],
  ['wc', wc],
  ['cut', cut],
  ['tr', tr],
  ['uniq', uniq],
  ['seq', seq],
  ['yes', yes],
  ['cmp', cmp],
  ['diff', diff],
  ['base64', base64],
  ['md5sum', md5sum],
  ['sha1sum', sha1sum],
  ['sha256sum', sha256sum],
  ['sha512sum', sha512sum],
  ['ls', ls],
  ['chroot', chroot],
  ['cp', cp],
  ['mv', mv],
  ['rm', rm],
  ['mkdir', mkdir],
  ['rmdir', rmdir],
  ['touch', touch],
  ['chmod', chmod],
  ['chown', chown],
  ['ln', ln],
  ['link', link],
  ['unlink', unlink],
  ['mktemp', mktemp],
  ['truncate', truncate],
  ['stat', stat],
  ['find', find],
  ['du', du],
  ['df', df],
  ['basename', basename],
  ['dirname', dirname],
  ['realpath', realpath],
  ['readlink', readlink],
  ['sleep', sleep],
  ['timeout', timeout],
  ['watch', watch],
  ['xargs', xargs],
  ['env', env],
  ['printenv', printenv],
  ['nohup', nohup],
  ['date', date],
  ['ps', ps],
  ['pgrep', pgrep],
  ['pkill', pkill],
  ['pidof', pidof],
  ['killall', killall],
  ['kill', killProgram],
  ['uptime', uptime],
  ['id', id],
  ['whoami', whoami],
  ['groups', groups],
  ['hostname', small.hostname],
  ['uname', small.uname],
  ['which', which],
  ['man', man],
  ['clear', small.clear],
  ['sync', small.nothing],
  ['true', small.trueProgram],
  ['false', small.falseProgram],
  ['echo', small.echoProgram],
  ['printf', small.printfProgram],
  ['test', small.testProgram],
  ['[', small.bracketProgram],
  ['pwd', small.pwdProgram],
  ['vi', small.noEditor],
  ['vim', small.noEditor],
  ['nano', small.noEditor],
]);
