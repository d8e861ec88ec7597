// A container's log for one who asks: the last lines at once, and with `follow` each further line as it comes.
import type {CriRequest, LogLine} from '../../api/wire/cri.ts';
import type {Call} from '../../sim/network.ts';
import type {Container} from './container.ts';

/** Answers a request for a log. Frames are arrays of lines. */
export function sendLogs(call: Call, container: Container, request: Extract<CriRequest, {kind: 'logs'}>): void {
  const {tail, since = 0, follow} = request;
  let lines: readonly LogLine[] = container.log.lines;
  if (since > 0) lines = lines.filter(line => line.at >= since);
  if (tail !== undefined && tail >= 0) lines = tail === 0 ? [] : lines.slice(-tail);
  if (!follow || container.status.state === 'exited') {
    call.answer([...lines]);
    return;
  }
  call.open([...lines]);
  const forget = container.log.follow({line: line => call.send([line]), end: () => call.end()});
  call.onCancel(forget);
}
