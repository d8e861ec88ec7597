// Commands in a running container: for probes and hooks with their whole output, for people with streams both ways.
import type {Status} from '../../api/kinds/meta.ts';
import type {CriError, ExecRequest, ExecResult} from '../../api/wire/cri.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import {SIGNALS} from '../../sim/process/kernel.ts';
import type {Call} from '../../sim/network.ts';
import type {Process} from '../../sim/process/process.ts';
import {nullStream, pipe, sinkStream, type Stream} from '../../sim/process/streams.ts';
import {Terminal} from '../../sim/process/terminal.ts';
import type {Container} from './container.ts';

/** Runs a command to its end; `done` hears of it once, also when it was cut off after the time. */
export function execSync(
  container: Container,
  command: readonly string[],
  timeoutSeconds: number,
  done: (result: ExecResult | CriError) => void,
): void {
  const {kernel, clock} = container.surroundings;
  let [output, errors] = ['', ''];
  const started = start(
    container,
    command,
    new Map([
      [0, nullStream()],
      [1, sinkStream(text => (output += text))],
      [2, sinkStream(text => (errors += text))],
    ]),
  );
  if (!('process' in started)) {
    done(started);
    return;
  }
  const {process} = started;
  let late = false;
  const timer =
    timeoutSeconds > 0
      ? clock.after(timeoutSeconds * 1000, () => {
          late = true;
          kernel.signalGroup(process.group, 'KILL');
        })
      : undefined;
  process.onEnd(() => {
    clock.cancel(timer);
    if (late)
      done({
        error: {
          code: 'DeadlineExceeded',
          message: `failed to exec in container: timeout ${timeoutSeconds}s exceeded: context deadline exceeded`,
        },
      });
    else done({exitCode: process.exitCode ?? 0, output: output + errors, errors});
  });
}

/** Runs a command with streams. */
export function exec(container: Container, request: ExecRequest, call: Call<unknown, unknown, ChannelFrame>): void {
  const {kernel} = container.surroundings;
  call.open({status: 101});
  const send = (channel: number) => (data: string) => call.send({channel, data});
  const terminal = request.tty ? new Terminal(kernel, send(1)) : undefined;
  const input = !request.tty && request.stdin ? pipe() : undefined;
  const streams = terminal
    ? new Map([
        [0, terminal.stream],
        [1, terminal.stream],
        [2, terminal.stream],
      ])
    : new Map<number, Stream>([
        [0, input?.reader ?? nullStream()],
        [1, sinkStream(send(1))],
        [2, sinkStream(send(2))],
      ]);
  const started = start(container, request.command, streams, request.late);
  input?.reader.close();
  if (!('process' in started)) {
    call.send({channel: 3, data: internalError(`error executing command in container: ${started.error.message}`)});
    call.end();
    return;
  }
  const {process} = started;
  if (terminal) terminal.foreground = process.group;
  process.onEnd(() => {
    input?.writer.close();
    call.send({channel: 3, data: exitStatus(process.exitCode ?? 0)});
    call.end();
  });
  call.onFrame(frame => takeInput(frame, {terminal, input: input?.writer}));
  call.onCancel(() => {
    input?.writer.close();
    if (terminal) kernel.signalGroup(process.group, 'HUP');
  });
}

function takeInput(frame: ChannelFrame, to: {readonly terminal: Terminal | undefined; readonly input: Stream | undefined}): void {
  const {terminal, input} = to;
  if (frame.channel === 4 && terminal) {
    const size = frame.data as {Width?: number; Height?: number};
    terminal.columns = size.Width ?? terminal.columns;
    terminal.rows = size.Height ?? terminal.rows;
  }
  if (frame.channel !== 0) return;
  const text = typeof frame.data === 'string' ? frame.data : '';
  if (frame.data === null) {
    input?.close();
    terminal?.end();
  } else if (terminal && frame.data === '\u0003') terminal.interrupt();
  else if (terminal && frame.data === '\u0004') terminal.end();
  else if (terminal) terminal.type(text);
  else input?.write(text);
}

function start(
  container: Container,
  command: readonly string[],
  streams: ReadonlyMap<number, Stream>,
  late?: ReadonlyMap<string, string>,
): {readonly process: Process} | CriError {
  const {surroundings, config, image} = container;
  const [name = ''] = command;
  const failed = container.whyNotExecutable(name);
  const machine = container.machine();
  const program = failed === undefined ? machine.program(name) : undefined;
  const folder = config.workingDir ?? image.workingDir ?? '/';
  const process =
    program &&
    surroundings.kernel.spawn(program, {
      argv: command,
      machine,
      environment: late ? new Map([...late, ...container.environment]) : container.environment,
      folder,
      streams,
      group: 'new',
    });
  if (process) return {process};
  const id = surroundings.dice.hex(64);
  const why = failed ?? `exec: "${name}": resource temporarily unavailable`;
  return {
    error: {
      code: 'Unknown',
      message: `failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${why}`,
    },
  };
}

/** What closes the streams of a command. */
export function exitStatus(code: number): Status {
  if (code === 0) return {metadata: {}, status: 'Success'};
  const signal = code === 128 + SIGNALS.KILL ? 137 : code;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${signal}`,
    reason: 'NonZeroExitCode',
    details: {causes: [{reason: 'ExitCode', message: String(signal)}]},
  };
}

/** A failure on the way to a command. The streaming server and the one before it both say that the error is internal. */
function internalError(why: string): Status {
  const message = `Internal error occurred: ${why}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: {causes: [{message}]},
    code: 500,
  };
}
