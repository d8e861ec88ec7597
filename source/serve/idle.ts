// Connections of HTTP/2 on which nothing is asked do not stay for ever: Node closes those of HTTP/1.1 by itself, these it leaves open.
import type {ServerHttp2Session} from 'node:http2';

/** Ends a connection that has been still for some time and waits for no answer; a quiet watch is an answer that is waited for. */
export function endWhenIdle(session: Pick<ServerHttp2Session, 'on' | 'setTimeout' | 'close' | 'destroy'>, idleMs: number): void {
  let open = 0;
  let asked = false;
  session.on('stream', stream => {
    asked = true;
    open++;
    stream.on('close', () => open--);
  });
  session.setTimeout(idleMs, () => {
    if (open > 0) return;
    // Who has never asked anything may not even speak the protocol.
    if (asked) session.close();
    else session.destroy();
  });
}
