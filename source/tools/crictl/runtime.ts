// What crictl says to a container runtime: requests to its socket, and the words for those that fail.
import {isCriError, RUNTIME_SOCKET, type CriError, type CriRequest} from '../../api/wire/cri.ts';
import {stampedLine} from '../../api/meta/klog.ts';
import {openConnection, type Connection} from '../../sim/process/connection.ts';
import type {Process} from '../../sim/process/process.ts';

const CONFIG = '/etc/crictl.yaml';
const TIMEOUT_MS = 2000;

/** crictl ends with this. */
export class Fatal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** One runtime, as a process sees it. */
export class RuntimeConnection {
  readonly process: Process;
  readonly socket: string;

  constructor(process: Process, endpoint: string | undefined) {
    this.process = process;
    this.socket = (endpoint || endpointOf(process)).replace(/^unix:\/\//, '');
  }

  /** Is there a runtime? */
  async check(): Promise<void> {
    const version = await this.#call<unknown>({kind: 'version'});
    if (isCriError(version))
      throw new Fatal(
        `validate service connection: validate CRI v1 runtime API for endpoint "unix://${this.socket}": ${rpcText(version)}`,
      );
  }

  /** One request; a refusal ends crictl, after `doing` and with a line of its log that names the call. */
  async ask<T>(request: CriRequest, on: {readonly call: string; readonly doing: string; readonly about?: string}): Promise<T> {
    const answer = await this.#call<T>(request);
    if (!isCriError(answer)) return answer;
    const {call, doing, about = ''} = on;
    const service = call.includes('Image') ? 'image' : 'runtime';
    const line = `E log.go:32] "${call} from ${service} service failed" err=${JSON.stringify(rpcText(answer))}${about}`;
    const {process} = this;
    await process.err(`${stampedLine(line, process.machine.wall(), process.pid)}\n`);
    throw new Fatal(`${doing}${rpcText(answer)}`);
  }

  /** The same, with the refusal as an answer. */
  async #call<T>(request: CriRequest): Promise<T | CriError> {
    const reply = await this.process.call<T | CriError>(
      this.socket,
      0,
      request,
      request.kind === 'pull-image' ? 600_000 : 120_000,
    );
    return reply.ok ? reply.answer : unavailable(this.socket);
  }

  /** A request whose answer is followed by frames. */
  async open<A, F>(request: CriRequest): Promise<Connection<A, F>> {
    const opened = await openConnection<A, F>(this.process, {host: this.socket, port: 0, request, timeoutMs: TIMEOUT_MS});
    if ('failure' in opened && !('next' in opened)) throw new Fatal(rpcText(unavailable(this.socket)));
    return opened as Connection<A, F>;
  }
}

function endpointOf({environment, machine}: Process): string {
  const [, configured] = /^runtime-endpoint:\s*"?([^"\s]+)"?\s*$/m.exec(machine.files.read(CONFIG) ?? '') ?? [];
  return environment.get('CONTAINER_RUNTIME_ENDPOINT') ?? configured ?? RUNTIME_SOCKET;
}

function unavailable(socket: string): CriError {
  const message = `connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: no such file or directory"`;
  return {error: {code: 'Unavailable', message}};
}

function rpcText({error}: CriError): string {
  return `rpc error: code = ${error.code} desc = ${error.message}`;
}
