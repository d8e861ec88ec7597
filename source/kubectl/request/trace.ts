// `-v`: what kubectl tells of its doings on standard error. From 4 on the Status of a refusal, from 6 on every answer, from 7 on
// every request with its headers, from 8 on the bodies, from 9 on the request as a command line of curl.
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Status} from '../../api/kinds/meta.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {statusText} from '../../api/wire/status-text.ts';
import type {Process} from '../../sim/process/process.ts';
import {klogTime} from './klog.ts';

const GATES = {
  ClientsAllowCBOR: false,
  ClientsPreferCBOR: false,
  InOrderInformers: true,
  InOrderInformersBatchProcess: true,
  InformerResourceVersion: true,
  WatchListClient: true,
};

/** How much of a body is shown at a level; 10 and more shows all. */
const BODY_LIMITS: Readonly<Record<number, number>> = {8: 1024, 9: 10_240};

/** Headers that carry secrets. */
const SECRET = new Set(['authorization']);

/** The log of one run. */
export class Trace {
  readonly #process: Process;
  readonly #level: number;

  constructor(process: Process, level: number) {
    this.#process = process;
    this.#level = level;
  }

  async #line(place: string, text: string): Promise<void> {
    await this.#process.err(`I${klogTime(this.#process)} ${place}] ${text}\n`);
  }

  /** At the start: where the configuration comes from. */
  async start(files: readonly string[]): Promise<void> {
    if (this.#level >= 6) for (const file of files) await this.#line('loader.go:405', `Config loaded from file:  ${file}`);
    if (this.#level < 1) return;
    for (const [feature, enabled] of Object.entries(GATES))
      await this.#line('envvar.go:172', `"Feature gate default state" feature=${JSON.stringify(feature)} enabled=${enabled}`);
  }

  /** Before a request is sent. */
  async request(request: Request, url: string): Promise<void> {
    if (this.#level >= 8) await this.#body('Request Body', request.body);
    const headers = Object.entries(request.headers ?? {}).map(
      ([name, value]) => [titleOf(name), shownValue(name, value)] as const,
    );
    const sorted = headers.toSorted(([a], [b]) => compareStrings(a, b));
    if (this.#level >= 9) {
      const options = sorted.map(([name, value]) => ` -H "${name}: ${value}"`).join('');
      await this.#line('round_trippers.go:527', `"Request" curlCommand=<\n\tcurl -v -X${request.method} ${options} '${url}'\n >`);
    } else if (this.#level >= 7) {
      await this.#line(
        'round_trippers.go:527',
        `"Request" verb="${request.method}" url=${JSON.stringify(url)} headers=<\n${headerLines(sorted)} >`,
      );
    }
  }

  /** After the answer came. */
  async answer(request: Request, url: string, {answer, ms}: {answer: Answer; ms: number}): Promise<void> {
    if (this.#level < 6) return;
    const what = this.#level === 6 || this.#level >= 9 ? `verb="${request.method}" url=${JSON.stringify(url)} ` : '';
    const status = `status="${answer.status} ${statusText(answer.status)}"`;
    const own = {
      'content-type': typeof answer.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      ...answer.headers,
    };
    const headers = Object.entries(own).map(([name, value]) => [titleOf(name), value] as const);
    const shown = this.#level >= 8 ? ` headers=<\n${headerLines(headers.toSorted(([a], [b]) => compareStrings(a, b)))} >` : '';
    await this.#line('round_trippers.go:632', `"Response" ${what}${status}${shown} milliseconds=${Math.trunc(ms)}`);
    if (this.#level >= 8 && answer.body !== undefined) await this.#body('Response Body', answer.body);
  }

  /** Before the words of a refusal. */
  async refusal(status: Status): Promise<void> {
    if (this.#level >= 4) await this.#line('helpers.go:246', `server response object: %s[${JSON.stringify(status, null, 2)}]`);
  }

  /** A body of several lines is set in; the server ends its own with a line's end. */
  async #body(title: string, body: unknown): Promise<void> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
    const limit = BODY_LIMITS[this.#level] ?? Infinity;
    const cut = text.length > limit ? `${text.slice(0, limit)} [truncated ${text.length - limit} chars]` : text;
    const shown = cut.includes('\n')
      ? `<\n${cut
          .replace(/\n$/, '')
          .split('\n')
          .map(line => `\t${line}\n`)
          .join('')} >`
      : JSON.stringify(cut);
    await this.#line('helper.go:246', `"${title}" body=${shown}`);
  }
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `\t${name}: ${value}\n`).join('');
}

/** `user-agent` becomes `User-Agent`. */
function titleOf(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);
}

function shownValue(name: string, value: string): string {
  return SECRET.has(name) ? `${value.split(' ')[0] ?? ''} <masked>` : value;
}
