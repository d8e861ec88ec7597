// A container that runs a program model. It costs a timer where the model says that something will happen (it begins to
// listen, logs, ends, outgrows its memory) and nothing in between.
import type {Answer, Request} from '../../api/wire/http.ts';
import {helloOf, TlsDoor, type TlsFailure} from '../../api/wire/tls.ts';
import type {Timer} from '../../sim/clock.ts';
import type {Call} from '../../sim/network.ts';
import {Raw} from '../../sim/raw.ts';
import {accessLine} from './access-line.ts';
import {answerReview, reviewIn} from './admission-model.ts';
import {
  coursesOf,
  type Asked,
  type Forward,
  type HttpReply,
  type ModelLine,
  type ProgramModel,
  type Talk,
} from './program-model.ts';
import type {Run, RunContext} from './run.ts';
import {servedFile} from './served-file.ts';
import {readServerPair} from './server-pair.ts';
import {WorkQueue} from './work-queue.ts';

/** Above its limit at once: it gets as far as its first allocations. */
const FIRST_ALLOCATIONS_SECONDS = 0.1;

/** A program whose other work uses up its limit still gets this much done. */
const LEAST_CORES = 0.001;

/** The signals that servers end by. */
const ENDING = new Set(['TERM', 'QUIT', 'INT', 'WINCH', 'USR1', 'PWR', 'RTMIN+3']);

/** How long somebody waits to whom a request was passed on. */
const FORWARD_MS = 60_000;
const NOWHERE: Forward = {host: '', port: 0, path: '/', hostHeader: ''};

/** Where images listen for TLS whose certificate nobody looks at. */
const TLS_PORTS = new Set([443, 8443]);
/** What a client with TLS reads of a server without. */
const PLAIN_SPEECH: TlsFailure = Object.freeze({tlsFailure: 'http: server gave HTTP response to HTTPS client'});

/** A running model. */
export class ModelRun implements Run {
  readonly #context: RunContext;
  readonly #model: ProgramModel;
  readonly #since: number;
  #timers: Timer[] | undefined;
  #open: {close(): void}[] | undefined;
  #queue: WorkQueue | undefined;
  #door: TlsDoor | undefined;
  #talk: (() => Talk) | undefined;
  #over = false;
  #stopping = false;

  constructor(context: RunContext, model: ProgramModel) {
    this.#context = context;
    this.#model = model;
    this.#since = context.surroundings.clock.now;
    // A program begins only after its start was answered.
    this.#after(0, () => this.#begin());
  }

  stop(signal: string): void {
    if (!ENDING.has(signal.replace('SIG', ''))) return;
    const {termSeconds = 0, termCode = 0} = this.#model;
    if (this.#stopping || termSeconds < 0) return;
    this.#stopping = true;
    this.#after(termSeconds, () => this.#end(termCode));
  }

  kill(): void {
    this.#over = true;
    const {clock} = this.#context.surroundings;
    for (const timer of this.#timers ?? []) clock.cancel(timer);
    for (const open of this.#open ?? []) open.close();
    this.#queue?.stop();
    this.#timers = undefined;
    this.#open = undefined;
  }

  usage(): ReturnType<Run['usage']> {
    const {cpu, memory} = coursesOf(this.#model);
    const {cpuLimit = Infinity} = this.#context.config;
    const seconds = this.#seconds;
    const wanted = cpu.at(seconds);
    const share = wanted > cpuLimit ? cpuLimit / wanted : 1;
    const {busyCores = 0, cpuSeconds = 0} = this.#queue ?? {};
    return {
      cpuCores: wanted * share + busyCores,
      cpuSeconds: cpu.total(seconds) * share + cpuSeconds,
      memoryBytes: Math.round(memory.at(seconds)),
    };
  }

  resize(): void {
    this.#watchMemory();
    this.#queue?.changed();
  }

  /** What the limit leaves for requests. */
  get #cores(): number {
    const {cpuLimit = Infinity} = this.#context.config;
    return Math.max(LEAST_CORES, cpuLimit - coursesOf(this.#model).cpu.at(this.#seconds));
  }

  get #seconds(): number {
    return (this.#context.surroundings.clock.now - this.#since) / 1000;
  }

  /** Runs something later, unless it is over by then. What is due soon is not kept for the end. */
  #after(seconds: number, run: () => void): void {
    const timer = this.#context.surroundings.clock.after(seconds * 1000, () => {
      if (!this.#over) run();
    });
    if (seconds > 0) this.#timers = this.#timers ? [...this.#timers.filter(each => each.run), timer] : [timer];
  }

  #begin(): void {
    const {needs, log, greeting, startSeconds = 0} = this.#model;
    const missing = needs && this.#missing(needs);
    if (needs && missing !== undefined) {
      this.#context.log.write('stderr', `${(needs.message ?? 'fatal: $NAME is not set').replaceAll('$NAME', missing)}\n`);
      this.#end(needs.exitCode ?? 1);
      return;
    }
    if (greeting) this.#context.log.greet(greeting);
    if (log) for (const line of log) this.#say(typeof line === 'string' ? {line} : line);
    this.#watchMemory();
    if (startSeconds > 0) this.#after(startSeconds, () => this.#started());
    else this.#started();
  }

  #missing(needs: NonNullable<ProgramModel['needs']>): string | undefined {
    const context = this.#context;
    const variable = needs.env?.find(names => !names.split('|').some(name => context.environment.get(name)));
    return variable ?? needs.files?.find(path => context.machine().files.info(path) === undefined);
  }

  #say({line, after = 0, every = 0, stream = 'stdout'}: ModelLine): void {
    const write = () => {
      this.#context.log.line(stream, line);
      if (every > 0) this.#after(every, write);
    };
    if (after > 0) this.#after(after, write);
    else write();
  }

  #started(): void {
    const {listen, exitCode, exitAfterSeconds = 0, work, tls} = this.#model;
    const {clock} = this.#context.surroundings;
    this.#talk = this.#model.talk?.(this.#context.surroundings.wall());
    if (work) this.#queue = new WorkQueue(clock, work, () => this.#cores);
    if (tls && !this.#openDoor(tls)) return;
    if (listen) for (const port of listen) this.#listen(port);
    if (exitCode !== undefined) this.#after(exitAfterSeconds, () => this.#end(exitCode));
  }

  #listen(port: number): void {
    const {sandbox, log} = this.#context;
    if (this.#over) return;
    const open = sandbox.listen(port, call => this.#take(call, port));
    if (open) {
      this.#open = this.#open ? [...this.#open, open] : [open];
      return;
    }
    log.line('stderr', `listen tcp :${port}: bind: address already in use`);
    this.#end(1);
  }

  /** Reads its certificate; a program that cannot ends. */
  #openDoor({certificate, key}: {readonly certificate: string; readonly key: string}): boolean {
    const {surroundings, log} = this.#context;
    const pair = readServerPair(this.#context.machine().files, certificate, key);
    if ('error' in pair) {
      log.line('stderr', pair.error);
      this.#end(1);
      return false;
    }
    const server = {certificate: pair.certificate, clientAuthorities: undefined, required: false};
    this.#door = new TlsDoor(server, surroundings.wall, ({from}, why) =>
      log.line('stderr', `http: TLS handshake error from ${from}: ${why}`),
    );
    return true;
  }

  #take(call: Call, port: number): void {
    const {request} = call;
    const greets = helloOf(request) !== undefined;
    // A probe: it speaks TLS, and looks at no certificate.
    const trustsAll = !greets && (request as Request | undefined)?.scheme === 'https';
    if (this.#door && !trustsAll) this.#door.take(call, inner => this.#serve(inner, port));
    else if (greets || (trustsAll && !TLS_PORTS.has(port))) call.answer(PLAIN_SPEECH);
    else this.#serve(call, port);
  }

  #serve(call: Call, port: number): void {
    const request = call.request as Request | undefined;
    if (typeof request?.path !== 'string') {
      if (this.#talk && call.request === Raw) this.#converse(call, this.#talk());
      else call.end('closed');
      return;
    }
    if (!this.#queue) return this.#answer(call, request, port);
    const forget = this.#queue.add(() => this.#answer(call, request, port));
    call.onCancel(forget);
  }

  #converse(call: Call, hear: Talk): void {
    const {wall} = this.#context.surroundings;
    call.open(undefined);
    call.onFrame(frame => {
      if (this.#over) return;
      const {say, ends} = typeof frame === 'string' ? hear(frame, wall()) : {say: '', ends: true};
      if (say !== '') call.send(say);
      if (ends) call.end();
    });
  }

  #answer(call: Call, request: Request, port: number): void {
    const {admission, http = {}} = this.#model;
    const {surroundings, log} = this.#context;
    const review = admission && !http[request.path] ? reviewIn(request) : undefined;
    if (admission && review) {
      const {answer, line} = answerReview(admission, review);
      if (admission.log) log.line('stdout', line);
      call.answer(answer);
      return;
    }
    const asked = {request, from: call.from, port, seconds: this.#seconds, now: surroundings.wall()};
    const reply = this.#replyTo(asked);
    if (typeof reply === 'object' && reply.forward) this.#forward(call, asked, reply);
    else this.#reply(call, asked, reply);
  }

  #replyTo(asked: Asked): HttpReply | undefined {
    const {http = {}, respond, serves} = this.#model;
    const reply =
      http[asked.request.path] ?? respond?.(asked) ?? (serves ? {file: {...serves, path: asked.request.path}} : http['*']);
    return typeof reply === 'object' && reply.file ? servedFile(this.#context, reply.file) : reply;
  }

  /** Passes a request on; the reply itself is what is said when nobody takes it. */
  #forward(call: Call, asked: Asked, reply: HttpReply & object): void {
    const {forward: {host, port, path, hostHeader} = NOWHERE} = reply;
    const request = {...asked.request, path, headers: {...asked.request.headers, host: hostHeader}};
    let isOver = false;
    const finish = (answer?: Answer) => {
      if (isOver || this.#over) return;
      isOver = true;
      this.#context.surroundings.clock.cancel(timer);
      this.#reply(call, asked, reply, answer);
    };
    const timer = this.#context.surroundings.clock.after(FORWARD_MS, () => {
      caller.cancel();
      finish();
    });
    const caller = this.#context.sandbox.dialer()(host, port, request, {
      answer: answer => finish(answer as Answer),
      end: () => finish(),
    });
    call.onCancel(() => caller.cancel());
  }

  #reply(call: Call, asked: Asked, reply: HttpReply | undefined, made = answerOf(reply, this.#seconds)): void {
    const {accessLog, server} = this.#model;
    const answer = server === undefined ? made : {...made, headers: {...made.headers, server}};
    if (accessLog) this.#context.log.line('stdout', accessLine({...asked, answer}));
    const delay = typeof reply === 'object' ? (reply.delaySeconds ?? 0) : 0;
    if (delay > 0) this.#after(delay, () => call.answer(answer));
    else call.answer(answer);
  }

  #watchMemory(): void {
    const {memoryLimit} = this.#context.config;
    if (memoryLimit === undefined) return;
    const second = coursesOf(this.#model).memory.above(memoryLimit);
    if (second === Infinity) return;
    this.#after(Math.max(second - this.#seconds, FIRST_ALLOCATIONS_SECONDS), () => {
      const {memoryLimit: limit = Infinity} = this.#context.config;
      if (coursesOf(this.#model).memory.at(this.#seconds + 0.001) >= limit) this.#end(137, 'OOMKilled');
    });
  }

  #end(code: number, reason?: string): void {
    this.kill();
    this.#context.ended(code, reason);
  }
}

function answerOf(reply: HttpReply | undefined, seconds: number): Answer {
  if (reply === undefined) return text(404, '404 page not found\n');
  if (typeof reply === 'number') return text(reply, reply < 300 ? 'ok\n' : `${reply}\n`);
  if (typeof reply === 'string') return text(Number(reply.slice(0, 3)), `${reply.slice(4) || 'ok'}\n`);
  const {status = 200, body = '', type = 'text/plain; charset=utf-8', headers, afterSeconds = 0, untilSeconds = Infinity} = reply;
  if (seconds < afterSeconds || seconds >= untilSeconds) return text(503, '503\n');
  return {status, headers: {'content-type': type, ...headers}, body};
}

function text(status: number, body: string): Answer {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}
