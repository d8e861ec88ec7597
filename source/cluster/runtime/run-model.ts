// A container that runs a program model. It costs a timer where the model says that something will happen (it begins to
// listen, logs, ends, outgrows its memory) and nothing in between.
import {CONNECT, type Call} from '../../sim/network.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {Scope} from '../../sim/task.ts';
import {coursesOf, type HttpReply, type ModelLine, type ProgramModel} from './program-model.ts';
import type {Run, RunContext} from './run.ts';

/** Runs a model. */
export function runModel(context: RunContext, model: ProgramModel): Run {
  return new ModelRun(context, model);
}

class ModelRun implements Run {
  readonly #context: RunContext;
  readonly #model: ProgramModel;
  readonly #scope: Scope;
  readonly #since: number;
  #stopping = false;

  constructor(context: RunContext, model: ProgramModel) {
    const {clock} = context.surroundings;
    this.#context = context;
    this.#model = model;
    this.#scope = new Scope(clock);
    this.#since = clock.now;
    // A program begins only after its start was answered.
    this.#scope.soon(() => this.#begin());
  }

  get #seconds(): number {
    return (this.#context.surroundings.clock.now - this.#since) / 1000;
  }

  stop(): void {
    const {termSeconds = 0, termCode = 0} = this.#model;
    if (this.#stopping || termSeconds < 0) return;
    this.#stopping = true;
    this.#scope.after(termSeconds * 1000, () => this.#end(termCode));
  }

  kill(): void {
    this.#scope.stop();
  }

  usage() {
    const {cpu, memory} = coursesOf(this.#model);
    const {cpuLimit = Infinity} = this.#context.config;
    const seconds = this.#seconds;
    const wanted = cpu.at(seconds);
    const share = wanted > cpuLimit ? cpuLimit / wanted : 1;
    return {cpuCores: wanted * share, cpuSeconds: cpu.total(seconds) * share, memoryBytes: Math.round(memory.at(seconds))};
  }

  resize(): void {
    this.#watchMemory();
  }

  #begin(): void {
    const {needs, log = [], startSeconds = 0} = this.#model;
    const missing = needs && this.#missing(needs);
    if (needs && missing !== undefined) {
      this.#context.log.line('stderr', (needs.message ?? 'fatal: $NAME is not set').replaceAll('$NAME', missing));
      this.#end(needs.exitCode ?? 1);
      return;
    }
    for (const line of log) this.#say(typeof line === 'string' ? {line} : line);
    this.#watchMemory();
    if (startSeconds > 0) this.#scope.after(startSeconds * 1000, () => this.#started());
    else this.#started();
  }

  #missing(needs: NonNullable<ProgramModel['needs']>): string | undefined {
    const {environment, machine} = this.#context;
    const variable = needs.env?.find(name => !environment.get(name));
    return variable ?? needs.files?.find(path => machine().files.info(path) === undefined);
  }

  #say({line, after = 0, every, stream = 'stdout'}: ModelLine): void {
    const write = () => this.#context.log.line(stream, line);
    if (every !== undefined && every > 0) this.#scope.every(every * 1000, write, after * 1000);
    else if (after > 0) this.#scope.after(after * 1000, write);
    else write();
  }

  #started(): void {
    const {listen = [], exitCode, exitAfterSeconds = 0} = this.#model;
    for (const port of listen) this.#listen(port);
    if (exitCode !== undefined) this.#scope.after(exitAfterSeconds * 1000, () => this.#end(exitCode));
  }

  #listen(port: number): void {
    const {surroundings, address, log} = this.#context;
    const open = surroundings.listen(address, port, call => this.#scope.enter(() => this.#serve(call)));
    if (open) {
      this.#scope.onStop(() => open.close());
      return;
    }
    log.line('stderr', `listen tcp :${port}: bind: address already in use`);
    this.#end(1);
  }

  #serve(call: Call): void {
    const request = call.request as Request;
    if (call.request === CONNECT || typeof request?.path !== 'string') {
      call.end('closed');
      return;
    }
    const {http = {}} = this.#model;
    const reply = http[request.path] ?? http['*'];
    const answer = answerOf(reply, this.#seconds);
    if (this.#model.accessLog) this.#logAccess(call, request, answer);
    const delay = typeof reply === 'object' ? (reply.delaySeconds ?? 0) : 0;
    if (delay > 0) this.#scope.after(delay * 1000, () => call.answer(answer));
    else call.answer(answer);
  }

  #logAccess(call: Call, request: Request, answer: Answer): void {
    const {wall} = this.#context.surroundings;
    const [, month, day, year, time] =
      /^\w+ (\w+) (\d+) (\d+) ([\d:]+)/.exec(new Date(wall()).toUTCString().replace(/^(\w+), (\d+) (\w+)/, '$1 $3 $2')) ?? [];
    const agent = request.headers?.['user-agent'] ?? '-';
    const size = typeof answer.body === 'string' ? answer.body.length : 0;
    const line = `${call.from} - - [${day}/${month}/${year}:${time} +0000] "${request.method} ${request.path} HTTP/1.1" ${answer.status} ${size} "-" "${agent}" "-"`;
    this.#context.log.line('stdout', line);
  }

  #watchMemory(): void {
    const {memoryLimit} = this.#context.config;
    if (memoryLimit === undefined) return;
    const second = coursesOf(this.#model).memory.above(memoryLimit);
    if (second === Infinity) return;
    // Above its limit at once: it gets as far as its first allocations.
    const delay = Math.max(second - this.#seconds, 0.1) * 1000;
    this.#scope.after(delay, () => {
      const {memoryLimit: limit = Infinity} = this.#context.config;
      if (coursesOf(this.#model).memory.at(this.#seconds + 0.001) >= limit) this.#end(137, 'OOMKilled');
    });
  }

  #end(code: number, reason?: string): void {
    this.#scope.stop();
    this.#context.ended(code, reason);
  }
}

function answerOf(reply: HttpReply | undefined, seconds: number): Answer {
  if (reply === undefined) return text(404, '404 page not found\n');
  if (typeof reply === 'number') return text(reply, reply < 300 ? 'ok\n' : `${reply}\n`);
  if (typeof reply === 'string') return text(Number(reply.slice(0, 3)), `${reply.slice(4) || 'ok'}\n`);
  const {status = 200, body = '', type = 'text/plain; charset=utf-8', afterSeconds = 0, untilSeconds = Infinity} = reply;
  if (seconds < afterSeconds || seconds >= untilSeconds) return text(503, '503\n');
  return {status, headers: {'content-type': type}, body};
}

function text(status: number, body: string): Answer {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}
