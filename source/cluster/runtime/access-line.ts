// The line that web servers write for each request.
import type {Answer, Request} from '../../api/wire/http.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface Access {
  readonly from: string;
  readonly request: Request;
  readonly answer: Answer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** In the "combined" format, with the forwarded address that is none. */
export function accessLine({from, request, answer, now}: Access): string {
  const at = new Date(now).toISOString();
  const time = `${at.slice(8, 10)}/${MONTHS[Number(at.slice(5, 7)) - 1]}/${at.slice(0, 4)}:${at.slice(11, 19)} +0000`;
  const size = typeof answer.body === 'string' ? answer.body.length : 0;
  const agent = request.headers?.['user-agent'] ?? '-';
  return `${from} - - [${time}] "${request.method} ${request.path} HTTP/1.1" ${answer.status} ${size} "-" "${agent}" "-"`;
}
