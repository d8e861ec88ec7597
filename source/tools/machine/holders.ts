// `netstat -tlnp` and `lsof -i`: who holds which port, for those who do not type `ss`.
import type {Program} from '../../sim/process/machine.ts';
import type {Hardware} from './facts.ts';

/** `netstat -tulpn` */
export function makeNetstat(hardware: Hardware): Program {
  return async process => {
    const listening = process.argv.slice(1).some(word => /^-\w*[la]/.test(word));
    const rows = hardware(process.machine.name).ports.map(({address, port, holder, pid}) => {
      const local = address === '*' ? `:::${port}` : `${address}:${port}`;
      const [family, peer] = address === '*' ? ['tcp6', ':::*'] : ['tcp ', '0.0.0.0:*'];
      const name = holder === '' ? '-' : `${pid}/${holder.slice(0, 14)}`;
      return `${family}       0      0 ${local.padEnd(23)} ${peer.padEnd(23)} LISTEN      ${name}`;
    });
    const head = [
      `Active Internet connections (${listening ? 'only servers' : 'w/o servers'})`,
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name',
    ];
    await process.out(`${[...head, ...(listening ? rows : [])].join('\n')}\n`);
    return 0;
  };
}

/** `lsof -i [:PORT]` */
export function makeLsof(hardware: Hardware): Program {
  return async process => {
    const words = process.argv.slice(1).join(' ');
    const [, port] = /-i\s*(?:tcp)?:(\d+)/i.exec(words) ?? [];
    const found = hardware(process.machine.name).ports.filter(
      each => each.holder !== '' && (port === undefined || each.port === Number(port)),
    );
    if (!/-i/.test(words) || found.length === 0) return 1;
    const rows = found.map(({address, port: held, holder, pid}) => {
      const name = `${address}:${held}`;
      return `${holder.slice(0, 9).padEnd(9)} ${String(pid).padStart(5)} root    3u  ${address === '*' ? 'IPv6' : 'IPv4'}  ${10_000 + held}      0t0  TCP ${name} (LISTEN)`;
    });
    await process.out(`COMMAND     PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME\n${rows.join('\n')}\n`);
    return 0;
  };
}
