// A probe in one line.
import type {Probe} from '../../api/kinds/core-v1.ts';

/** What is asked, and how often. */
export function probeText(probe: Probe): string {
  const {initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0, successThreshold = 0, failureThreshold = 0} = probe;
  const times = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`;
  if (probe.exec) return `exec [${(probe.exec.command ?? []).join(' ')}] ${times}`;
  if (probe.httpGet) return `http-get ${urlOf(probe.httpGet)} ${times}`;
  if (probe.tcpSocket) return `tcp-socket ${probe.tcpSocket.host ?? ''}:${probe.tcpSocket.port} ${times}`;
  if (probe.grpc) return `grpc <pod>:${probe.grpc.port} ${probe.grpc.service ?? ''} ${times}`;
  return `unknown ${times}`;
}

function urlOf(get: NonNullable<Probe['httpGet']>): string {
  const path = get.path ?? '';
  const escaped = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  const rooted = escaped === '' || escaped.startsWith('/') ? escaped : `/${escaped}`;
  return `${(get.scheme ?? 'HTTP').toLowerCase()}://${get.host ?? ''}:${get.port}${rooted}`;
}
