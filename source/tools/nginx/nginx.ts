// The `nginx` that one may type inside its container, beside the one that serves there: what it is, and whether its configuration
// is good (it always is, as the server in the image is a model).
import type {SignalName} from '../../sim/process/kernel.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

const CONFIG = '/etc/nginx/nginx.conf';

/** Tells the servers of this machine to end. */
function signal(own: Process, name: SignalName): void {
  const {kernel, machine} = own;
  const isNginx = ({argv: [word = '']}: {readonly argv: readonly string[]}) => word === 'nginx' || word.endsWith('/nginx');
  for (const each of machine.services?.() ?? []) if (isNginx(each) && each.standsFor === undefined) each.signal(name);
  for (const each of kernel.processes.values())
    if (each.machine === machine && each !== own && isNginx(each)) kernel.signal(each, name);
}

/** Makes the program of one version. */
export function makeNginx(version: string): Program {
  return async process => {
    const [first = ''] = process.argv.slice(1);
    if (first === '-v' || first === '-V') {
      await process.err(`nginx version: nginx/${version}\n`);
      return 0;
    }
    if (first === '-t') {
      await process.err(
        `nginx: the configuration file ${CONFIG} syntax is ok\nnginx: configuration file ${CONFIG} test is successful\n`,
      );
      return 0;
    }
    if (first === '-s') {
      const known = ['stop', 'quit', 'reopen', 'reload'].includes(process.argv[2] ?? '');
      if (!known) await process.err(`nginx: invalid option: "-s ${process.argv[2] ?? ''}"\n`);
      else if (process.argv[2] === 'stop' || process.argv[2] === 'quit')
        signal(process, process.argv[2] === 'stop' ? 'TERM' : 'QUIT');
      return known ? 0 : 1;
    }
    await process.err('nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)\n');
    return 1;
  };
}
