// Hands a call on to somebody else and everything that comes back to the caller: what a port mapping of the node does.
import type {Call, Caller, Receiver} from '../../sim/network.ts';

/** Forwards one call. */
export function forward(call: Call, dial: (receiver: Receiver) => Caller): void {
  let open = false;
  const caller = dial({
    answer(answer, more) {
      open = more;
      if (more) call.open(answer);
      else call.answer(answer);
    },
    frame: frame => call.send(frame),
    end: failure => call.end(failure === 'refused' && !open ? 'reset' : failure),
  });
  call.onFrame(frame => caller.send(frame));
  call.onCancel(() => caller.cancel());
}
