// `ss`: the ports that are listened on. Connections are not shown: calls of this network come and go at once.
import type {Program} from '../../sim/process/machine.ts';
import type {NetworkFacts} from './facts.ts';

/** Makes the program of a machine. */
export function makeSs(facts: () => NetworkFacts): Program {
  return async process => {
    const options = process.argv
      .slice(1)
      .filter(word => word.startsWith('-'))
      .join('')
      .replaceAll('-', '');
    const wanted = process.argv
      .slice(1)
      .filter(word => /:\d+$/.test(word))
      .map(word => Number(word.split(':').at(-1)));
    const withHolders = options.includes('p');
    const head = `State  Recv-Q Send-Q Local Address:Port  Peer Address:Port${withHolders ? 'Process' : ''}\n`;
    if (!/[la]/.test(options)) {
      await process.out(options.includes('H') ? '' : head);
      return 0;
    }
    const rows = facts()
      .ports.filter(({port}) => wanted.length === 0 || wanted.includes(port))
      .map(({address, port, holder, pid}) => {
        const local = `${address}:${port}`.padStart(18);
        const users = withHolders && holder !== '' ? `users:(("${holder}",pid=${pid},fd=3))` : '';
        return `LISTEN 0      4096   ${local}       0.0.0.0:*    ${users}`.trimEnd();
      });
    await process.out(`${options.includes('H') ? '' : head}${rows.map(row => `${row}\n`).join('')}`);
    return 0;
  };
}
