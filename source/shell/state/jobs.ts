// The jobs of a shell: what runs behind its back, what it waits for, and what it has still to tell.
import type {Process} from '../../sim/process/process.ts';

/** One pipeline that was started with `&`. */
export interface Job {
  readonly number: number;
  readonly processes: readonly Process[];
  readonly text: string;
  /** Its end was told to the user, or waited for. */
  isTold: boolean;
  /** It was started by the shell that this one is a fork of: to be listed, not to be waited for. */
  readonly isInherited: boolean;
}

/** The jobs that a shell knows, oldest first. */
export class Jobs {
  #jobs: Job[] = [];
  /** Processes whose status was taken from the list, by pid, so that `wait PID` still has it. */
  readonly #ended = new Map<number, number>();

  get all(): readonly Job[] {
    return this.#jobs;
  }

  add(processes: readonly Process[], text: string): Job {
    const job: Job = {number: (this.#jobs.at(-1)?.number ?? 0) + 1, processes, text, isTold: false, isInherited: false};
    this.#jobs.push(job);
    return job;
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter(each => each !== job);
    for (const process of job.processes) this.#ended.set(process.pid, process.exitCode ?? 0);
  }

  /** The jobs that have ended since they were last asked about. */
  takeEnded(): Job[] {
    const ended = this.#jobs.filter(job => isEnded(job));
    for (const job of ended) this.remove(job);
    return ended;
  }

  byPid(pid: number): Job | undefined {
    return this.#jobs.find(job => job.processes.some(process => process.pid === pid));
  }

  /** The status of a job's process that is gone from the list. */
  endedStatus(pid: number): number | undefined {
    return this.#ended.get(pid);
  }

  /** Finds `%1`, `%%`, `%+`, `%-`, `%name` and `%?text`. */
  bySpecification(text: string): Job | undefined {
    const rest = text.slice(1);
    if (rest === '' || rest === '%' || rest === '+') return this.current;
    if (rest === '-') return this.previous;
    if (/^\d+$/.test(rest)) return this.#jobs.find(job => job.number === Number(rest));
    if (rest.startsWith('?')) return this.#jobs.find(job => job.text.includes(rest.slice(1)));
    return this.#jobs.find(job => job.text.startsWith(rest));
  }

  get current(): Job | undefined {
    return this.#jobs.at(-1);
  }

  get previous(): Job | undefined {
    return this.#jobs.at(-2) ?? this.#jobs.at(-1);
  }

  /** The sign that marks a job in a list: `+` for the current, `-` for the one before. */
  signOf(job: Job): string {
    if (job === this.#jobs.at(-1)) return '+';
    return job === this.#jobs.at(-2) ? '-' : ' ';
  }

  /** What a subshell knows: the jobs to list, none to wait for. */
  fork(): Jobs {
    const copy = new Jobs();
    copy.#jobs = this.#jobs.map(job => ({...job, isInherited: true}));
    return copy;
  }

  /** The jobs that this very shell started. */
  get own(): readonly Job[] {
    return this.#jobs.filter(job => !job.isInherited);
  }
}

/** Have all processes of a job ended? */
export function isEnded(job: Job): boolean {
  return job.processes.every(process => process.exitCode !== undefined);
}

/** The status of a job that has ended: of its last process. */
export function statusOf(job: Job): number {
  return job.processes.at(-1)?.exitCode ?? 0;
}
