// A request to a webhook, of admission or of conversion, and its answer, over the network and TLS.
import type {Answer, Request} from '../../../../api/wire/http.ts';
import {isTlsFailure} from '../../../../api/wire/tls.ts';
import type {Caller, Failure} from '../../../../sim/network.ts';
import {wait, type Task} from '../../../../sim/task.ts';
import type {Core} from '../../core.ts';
import type {Address} from './target.ts';

interface Exchange {
  readonly address: Address;
  readonly request: Request;
  readonly withinMs: number;
}

/** Sends a request; the answer, `late`, or the words for why there is none. */
export function* exchange(core: Core, {address, request, withinMs}: Exchange): Task<Answer | string> {
  const {daemon} = core;
  const place = address.find(core);
  if ('error' in place) return place.error;
  const {host, port} = place;
  return yield* wait<Answer | string>(wake => {
    const caller: Caller = daemon.dial(host, port, request, {
      answer: answer => {
        daemon.clock.cancel(timer);
        wake(isTlsFailure(answer) ? answer.tlsFailure : (answer as Answer));
      },
      end: failure => {
        daemon.clock.cancel(timer);
        wake(failureWords(failure, host, port));
      },
    });
    const timer = daemon.scope.after(withinMs, () => {
      caller.cancel();
      wake('late');
    });
  });
}

function failureWords(failure: Failure | undefined, host: string, port: number): string {
  switch (failure) {
    case 'refused':
      return `dial tcp ${host}:${port}: connect: connection refused`;
    case 'reset':
      return 'read: connection reset by peer';
    case 'unresolved':
      return `dial tcp: lookup ${host}: no such host`;
    default:
      return 'EOF';
  }
}
