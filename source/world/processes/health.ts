// The port on which the controller-manager, and the scheduler, say that they live.
import type {Answer, HttpCall} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import type {Flags} from './flags.ts';
import {commandFailed} from './launch.ts';
import {cannotListen} from './serving-flags.ts';

const PATHS = ['/healthz', '/livez', '/readyz'];

/** Serves health on `--bind-address` and `--secure-port`; false, and the process has ended, where the port is taken. */
export function serveHealth(daemon: Daemon, flags: Flags, standardPort: number): boolean {
  const address = flags.text('bind-address');
  const port = flags.number('secure-port') || standardPort;
  const answer = (call: Call) => {
    const {request} = call as HttpCall;
    const found: Answer = PATHS.includes(request.path) ? {status: 200, body: 'ok'} : {status: 404, body: '404 page not found\n'};
    call.answer(found);
  };
  if (daemon.listen(port, answer, address)) {
    daemon.print(`I secure_serving.go:211] Serving securely on ${address}:${port}`);
    return true;
  }
  commandFailed(daemon, cannotListen(`${address}:${port}`, 'address already in use'));
  return false;
}
