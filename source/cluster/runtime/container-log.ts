// What a container has written, line by line, as it would lie in /var/log/pods. Bounded: the oldest lines go first.
import type {LogLine} from '../../api/wire/cri.ts';

/** `2026-11-30T09:00:00.000000000Z stdout F ` and the end of the line. */
const HEAD_BYTES = 41;
const KEPT_LINES = 5000;

/** The log of one container. */
export class ContainerLog {
  readonly #wall: () => number;
  #lines: LogLine[] = [];
  #greeting: {readonly at: number; readonly lines: (at: number) => readonly Omit<LogLine, 'at'>[]} | undefined;
  #rests: {stdout: string; stderr: string} | undefined;
  #followers: Set<{line(line: LogLine): void; end(): void}> | undefined;

  constructor(wall: () => number) {
    this.#wall = wall;
  }

  /** What its file takes on the disk: each line with its time and stream. */
  get bytes(): number {
    return this.#lines.reduce((sum, {text}) => sum + text.length + HEAD_BYTES, 0);
  }

  get lines(): readonly LogLine[] {
    if (this.#greeting) {
      const {at, lines} = this.#greeting;
      this.#greeting = undefined;
      this.#lines = [...lines(at).map(line => ({at, ...line})), ...this.#lines];
    }
    return this.#lines;
  }

  /** What it says first, now; made when somebody reads, as most logs are never read. */
  greet(lines: (at: number) => readonly Omit<LogLine, 'at'>[]): void {
    this.#greeting = {at: this.#wall(), lines};
  }

  /** Takes text as a program writes it; what has no end of line yet waits. */
  write(stream: 'stdout' | 'stderr', text: string): void {
    const rests = (this.#rests ??= {stdout: '', stderr: ''});
    const lines = (rests[stream] + text).split('\n');
    rests[stream] = lines.pop() ?? '';
    for (const line of lines) this.line(stream, line);
  }

  line(stream: 'stdout' | 'stderr', text: string): void {
    const line = {at: this.#wall(), stream, text};
    if (this.#lines.length === 0) this.#lines = [line];
    else this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines = this.#lines.slice(-KEPT_LINES / 2);
    if (this.#followers) for (const follower of this.#followers) follower.line(line);
  }

  /** The container ended: what waits for an end of line is a line, and followers learn of the end. */
  close(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#rests?.[stream];
      if (rest) this.line(stream, rest);
    }
    this.#rests = undefined;
    for (const follower of this.#followers ?? []) follower.end();
    this.#followers = undefined;
  }

  /** Hears of further lines, until `close`; the answer takes that back. */
  follow(follower: {line(line: LogLine): void; end(): void}): () => void {
    const followers = (this.#followers ??= new Set());
    followers.add(follower);
    return () => followers.delete(follower);
  }
}
