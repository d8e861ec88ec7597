// The load balancer in front of several API servers: it passes each call on to the first of them that listens, and to the next when
// that refuses. Every two seconds it opens a connection to each; one that does not answer gets no calls until it does. It knows
// nothing of what it carries.
import {CONNECT} from '../sim/network.ts';
import type {Daemon} from '../sim/daemon.ts';
import type {Host} from './host.ts';

const CHECK_EVERY_MS = 2000;
const CHECK_WITHIN_MS = 1000;

/** Listens on an address for the API servers behind it. */
export function startLoadBalancer(host: Host, port: number, backends: readonly string[]): void {
  const daemon = host.newDaemon('load-balancer');
  const silent = new Set<string>();
  daemon.scope.every(CHECK_EVERY_MS, () => {
    for (const backend of backends) check(daemon, {backend, port}, answers => silent[answers ? 'delete' : 'add'](backend));
  });
  daemon.listen(port, call => {
    const chosen = [...backends.filter(each => !silent.has(each)), ...backends.filter(each => silent.has(each))];
    const attempt = (tries: number): void => {
      const backend = chosen[tries];
      if (backend === undefined) call.end('refused');
      else call.pass(backend, port, () => attempt(tries + 1));
    };
    attempt(0);
  });
}

/** Is there anybody at all? One that refuses is found out at once by whoever calls, so it counts as there. */
function check(
  daemon: Daemon,
  {backend, port}: {readonly backend: string; readonly port: number},
  told: (answers: boolean) => void,
): void {
  const {clock, scope} = daemon;
  const timer = scope.after(CHECK_WITHIN_MS, () => {
    caller.cancel();
    told(false);
  });
  const heard = () => {
    clock.cancel(timer);
    told(true);
  };
  const caller = daemon.dial(backend, port, CONNECT, {answer: heard, end: heard});
}
