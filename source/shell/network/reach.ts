// `ping`: is somebody there?
import {CONNECT} from '../../sim/network.ts';
import type {Program} from '../../sim/process/machine.ts';
import {complain} from '../programs/output.ts';
import {addressOf} from './lookups.ts';

/** No program listens there; a machine that lives refuses, and that is its answer to a ping. */
const NO_PORT = 0;
const PING_WAIT_MS = 1000;

/** `ping [-c count] [-i seconds] [-W seconds] host` */
export const ping: Program = async process => {
  const args = process.argv.slice(1);
  const option = (letter: string, usual: number): number => {
    const at = args.findIndex(arg => arg.startsWith(`-${letter}`));
    if (at < 0) return usual;
    return Number((args[at] ?? '').length > 2 ? args[at]?.slice(2) : args[at + 1]);
  };
  const host = args.find((arg, index) => !arg.startsWith('-') && !/^-[ciWw]$/.test(args[index - 1] ?? ''));
  if (host === undefined) return complain(process, 'ping: usage error: Destination address required', 2);
  const address = await addressOf(process, host);
  if (address === undefined) return complain(process, `ping: ${host}: Name or service not known`, 2);
  const {clock} = process.kernel;
  await process.out(`PING ${host} (${address}) 56(84) bytes of data.\n`);
  const count = option('c', Infinity);
  const every = option('i', 1) * 1000;
  const times: number[] = [];
  const began = clock.now;
  let sent = 0;
  while (sent < count) {
    const asked = clock.now;
    sent++;
    const reply = await process.call(address, NO_PORT, CONNECT, option('W', PING_WAIT_MS / 1000) * 1000);
    const took = clock.now - asked;
    if (reply.ok || reply.failure === 'refused') {
      times.push(took);
      await process.out(`64 bytes from ${address}: icmp_seq=${sent} ttl=64 time=${took.toFixed(3)} ms\n`);
    }
    if (sent < count && took < every) await process.sleep(every - took);
  }
  const lost = Math.round(((sent - times.length) / sent) * 100);
  await process.out(
    `\n--- ${host} ping statistics ---\n${sent} packets transmitted, ${times.length} received, ${lost}% packet loss, time ${Math.round(clock.now - began)}ms\n`,
  );
  if (times.length === 0) return 1;
  const average = times.reduce((sum, each) => sum + each, 0) / times.length;
  await process.out(
    `rtt min/avg/max/mdev = ${Math.min(...times).toFixed(3)}/${average.toFixed(3)}/${Math.max(...times).toFixed(3)}/0.000 ms\n`,
  );
  return 0;
};
