// Hands a call on to somebody else, and all that comes back to the caller: what a node does with a packet for one of its ports.
import type {Call, Caller, Receiver} from './network.ts';

/** Passes a call on over `dial`. */
export function relay(call: Call, dial: (receiver: Receiver) => Caller): void {
  const caller = dial({
    answer(answer, more) {
      if (more) call.open(answer);
      else call.answer(answer);
    },
    frame: frame => call.send(frame),
    end: failure => call.end(failure),
  });
  call.onFrame(frame => caller.send(frame));
  call.onCancel(() => caller.cancel());
}
