// The load balancer in front of several API servers: it passes each call on to one after the other, and to the next when one
// refuses. It knows nothing of what it carries.
import type {Failure, Receiver} from '../sim/network.ts';
import type {Host} from './host.ts';

/** Listens on an address for the API servers behind it. */
export function startLoadBalancer(host: Host, port: number, backends: readonly string[]): void {
  let turn = 0;
  host.newDaemon('load-balancer').listen(port, call => {
    const first = turn++;
    let upstream: {send(frame: unknown): void; cancel(): void} | undefined;
    const attempt = (tries: number): void => {
      const backend = backends[(first + tries) % backends.length];
      if (backend === undefined || tries >= backends.length) {
        call.end('reset');
        return;
      }
      let opened = false;
      const receiver: Receiver = {
        answer(answer, more) {
          opened = more;
          if (more) call.open(answer);
          else call.answer(answer);
        },
        frame: frame => call.send(frame),
        end: (failure: Failure | undefined) => (failure === 'refused' && !opened ? attempt(tries + 1) : call.end(failure)),
      };
      upstream = host.dial(backend, port, call.request, receiver);
    };
    call.onFrame(frame => upstream?.send(frame));
    call.onCancel(() => upstream?.cancel());
    attempt(0);
  });
}
