// The programs that speak over the network, by name.
import type {Program} from '../../sim/process/machine.ts';
import {curl} from './curl.ts';
import {dig, getent, nslookup} from './lookups.ts';
import {nc, telnet} from './netcat.ts';
import {ping} from './reach.ts';
import {wget} from './wget.ts';

export const networkPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['curl', curl],
  ['wget', wget],
  ['nslookup', nslookup],
  ['dig', dig],
  ['getent', getent],
  ['nc', nc],
  ['telnet', telnet],
  ['ping', ping],
]);
