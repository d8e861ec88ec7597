// containerd, as the kubelet and crictl see it: requests on the node's socket, answered from the node's sandboxes, containers and
// images. Virtual time goes by as on a good disk: a sandbox takes 80 ms, a container 20 ms to make and 20 ms to start.
//
// Not modelled: runtime classes, checkpoints, snapshots of the root file system, cgroups other than by cpu share and memory limit.
import {isCriError, RUNTIME_SOCKET, type CriError, type CriRequest, type RuntimeStatus} from '../../api/wire/cri.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import type {ContainerHost} from './container-host.ts';
import type {Container} from './container.ts';
import {exec, execSync} from './exec.ts';
import {sendLogs} from './send-logs.ts';

const NETWORK_CONFIG = '/etc/cni/net.d/';
const SANDBOX_MS = 80;
const CREATE_MS = 20;
const START_MS = 20;

export interface RuntimeOptions {
  readonly daemon: Daemon;
  readonly host: ContainerHost;
  /** The address of a name, as the node resolves it, for the words of failures; absent: `dial` takes names. */
  readonly resolve?: (name: string) => string | undefined;
  /** As `2.1.5`. */
  readonly version?: string;
}

/** Starts containerd. */
export function startRuntime(options: RuntimeOptions): void {
  const runtime = new Runtime(options);
  options.daemon.listen(0, call => runtime.take(call as Call<CriRequest>), RUNTIME_SOCKET);
}

class Runtime {
  readonly #options: RuntimeOptions;

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  take(call: Call<CriRequest>): void {
    const {request} = call;
    switch (request.kind) {
      case 'run-sandbox':
      case 'stop-sandbox':
      case 'remove-sandbox':
      case 'sandboxes':
        return this.#sandbox(call, request);
      case 'pull-image':
      case 'image-status':
      case 'images':
      case 'remove-image':
        return this.#image(call, request);
      case 'version':
      case 'status':
      case 'update-runtime-config':
      case 'usage':
      case 'events':
        return this.#node(call, request);
      default:
        return this.#container(call, request);
    }
  }

  #node(
    call: Call,
    request: Extract<CriRequest, {kind: 'version' | 'status' | 'update-runtime-config' | 'usage' | 'events'}>,
  ): void {
    const {host, version = '2.1.5', daemon} = this.#options;
    if (request.kind === 'version')
      return call.answer({version: '0.1.0', runtimeName: 'containerd', runtimeVersion: `v${version}`, runtimeApiVersion: 'v1'});
    if (request.kind === 'status') return call.answer(this.#status(version));
    if (request.kind === 'usage') return call.answer(host.usage(request.uid));
    if (request.kind === 'update-runtime-config') {
      host.addresses.setRange(request.podCIDR);
      return call.answer({});
    }
    call.open({});
    const stop = host.onEvent(event => call.send(event));
    // The CNI looks at its folder of configurations; what it finds there changes what the runtime is ready for.
    const unwatch = host.surroundings.files.watch(path => {
      if (path.startsWith(NETWORK_CONFIG)) call.send({kind: 'status', status: this.#status(version)});
    });
    const close = () => {
      stop();
      unwatch();
    };
    const forget = daemon.scope.onStop(close);
    call.onCancel(() => {
      forget();
      close();
    });
  }

  #status(version: string): RuntimeStatus {
    const why = this.#options.host.addresses.notReady;
    return {
      version,
      networkReady: why === undefined,
      networkReason: why === undefined ? '' : 'NetworkPluginNotReady',
      networkMessage: why ?? '',
    };
  }

  #sandbox(
    call: Call,
    request: Extract<CriRequest, {kind: 'run-sandbox' | 'stop-sandbox' | 'remove-sandbox' | 'sandboxes'}>,
  ): void {
    const {host} = this.#options;
    if (request.kind === 'run-sandbox') {
      return this.#later(SANDBOX_MS, () => {
        const sandbox = host.runSandbox(request.config);
        call.answer(isCriError(sandbox) ? sandbox : sandbox.status);
      });
    }
    if (request.kind === 'sandboxes') {
      const all = [...host.sandboxes.values()].map(sandbox => sandbox.status);
      return call.answer(request.uid === undefined ? all : all.filter(status => status.uid === request.uid));
    }
    if (request.kind === 'stop-sandbox') host.stopSandbox(request.id);
    else host.removeSandbox(request.id);
    call.answer({});
  }

  #image(call: Call, request: Extract<CriRequest, {kind: 'pull-image' | 'image-status' | 'images' | 'remove-image'}>): void {
    const {host, daemon, resolve} = this.#options;
    if (request.kind === 'pull-image')
      daemon.scope.run(host.images.pull(request.image, resolve ? {daemon, resolve} : {daemon}), result => call.answer(result));
    else if (request.kind === 'images') call.answer(host.images.list());
    else if (request.kind === 'image-status') call.answer(host.images.status(request.image));
    else call.answer(host.images.remove(request.image));
  }

  #container(
    call: Call,
    request: Exclude<
      CriRequest,
      {
        kind:
          | 'version'
          | 'status'
          | 'update-runtime-config'
          | 'usage'
          | 'events'
          | 'run-sandbox'
          | 'stop-sandbox'
          | 'remove-sandbox'
          | 'sandboxes'
          | 'pull-image'
          | 'image-status'
          | 'images'
          | 'remove-image';
      }
    >,
  ): void {
    const {host} = this.#options;
    if (request.kind === 'containers') {
      const all = [...host.containers.values()].map(container => container.status);
      return call.answer(request.uid === undefined ? all : all.filter(status => status.uid === request.uid));
    }
    if (request.kind === 'create-container') {
      return this.#later(CREATE_MS, () => {
        const container = host.createContainer(request.sandboxId, request.config);
        call.answer(isCriError(container) ? container : container.status);
      });
    }
    if (request.kind === 'port-forward')
      return this.#portForward(call as Call<CriRequest, unknown, ChannelFrame>, request.sandboxId, request.port);
    const container = host.containers.get(request.id) ?? byPrefix(host.containers, request.id);
    if (!container) return call.answer(notFound(request.id));
    this.#one(call, request, container);
  }

  #one(call: Call, request: Extract<CriRequest, {id: string}>, container: Container): void {
    switch (request.kind) {
      case 'start-container':
        return this.#later(START_MS, () => this.#start(call, container));
      case 'stop-container':
        return this.#stop(call, container, request.graceSeconds);
      case 'remove-container':
        this.#options.host.removeContainer(container.id);
        return call.answer({});
      case 'update-container': {
        const {cpuLimit, memoryLimit} = request;
        container.resize({...(cpuLimit === undefined ? {} : {cpuLimit}), ...(memoryLimit === undefined ? {} : {memoryLimit})});
        return call.answer({});
      }
      case 'container-status':
        return call.answer(container.status);
      case 'logs':
        return sendLogs(call, container, request);
      case 'exec-sync':
        if (container.status.state !== 'running') return call.answer(notRunning(container));
        return execSync(container, request.command, request.timeoutSeconds, result => call.answer(result));
      case 'exec':
        if (container.status.state !== 'running') return call.answer(notRunning(container));
        return exec(container, request, call as Call<unknown, unknown, ChannelFrame>);
      case 'attach':
        return attach(container, request.stdin, call as Call<unknown, unknown, ChannelFrame>);
      default:
        return call.end('closed');
    }
  }

  #start(call: Call, container: Container): void {
    const failed = container.start();
    call.answer(failed === undefined ? container.status : {error: {code: 'Unknown', message: failed}});
  }

  #stop(call: Call, container: Container, graceSeconds: number): void {
    if (container.status.state !== 'running') return call.answer(container.status);
    const {daemon, host} = this.#options;
    let timer = undefined as ReturnType<typeof daemon.scope.after> | undefined;
    const forget = host.onEvent(event => {
      if (event.kind !== 'container' || event.status.id !== container.id || event.status.state !== 'exited') return;
      forget();
      keep();
      daemon.clock.cancel(timer);
      call.answer(event.status);
    });
    const keep = daemon.scope.onStop(forget);
    if (graceSeconds > 0) container.signal();
    if (container.status.state === 'running')
      timer = daemon.scope.after(Math.max(0, graceSeconds) * 1000, () => container.kill());
  }

  #portForward(call: Call<CriRequest, unknown, ChannelFrame>, sandboxId: string, port: number): void {
    const sandbox = this.#options.host.sandboxes.get(sandboxId);
    if (!sandbox) return call.answer(notFound(sandboxId));
    call.open({status: 101});
    const dial = sandbox.dialer();
    call.onFrame(frame => {
      const exchange = frame.data as {readonly id: number; readonly request: unknown};
      const reply = (data: unknown) => call.send({channel: frame.channel, data});
      dial(sandbox.address, port, exchange.request, {
        answer: (answer, more) => reply({id: exchange.id, answer, more}),
        frame: part => reply({id: exchange.id, frame: part}),
        end: failure =>
          reply({
            id: exchange.id,
            end: failure ?? null,
            ...(failure === 'refused' ? {message: refusedForward(sandboxId, port)} : {}),
          }),
      });
    });
  }

  #later(delayMs: number, run: () => void): void {
    this.#options.daemon.scope.after(delayMs, run);
  }
}

/** Joins what a container's first process reads and writes. */
function attach(container: Container, stdin: boolean, call: Call<unknown, unknown, ChannelFrame>): void {
  if (container.status.state !== 'running') return call.answer(notRunning(container));
  call.open({status: 101});
  const {input} = container;
  const forget = container.log.follow({
    line: line => call.send({channel: line.stream === 'stdout' ? 1 : 2, data: `${line.text}\n`}),
    end: () => {
      call.send({channel: 3, data: {metadata: {}, status: 'Success'}});
      call.end();
    },
  });
  call.onCancel(forget);
  if (!stdin) return;
  call.onFrame(frame => {
    if (frame.channel !== 0) return;
    if (frame.data === null) input?.close();
    else input?.write(textOf(frame));
  });
}

function textOf(frame: ChannelFrame): string {
  return typeof frame.data === 'string' ? frame.data : '';
}

function refusedForward(sandboxId: string, port: number): string {
  const namespace = `/var/run/netns/cni-${sandboxId.slice(0, 8)}-${sandboxId.slice(8, 12)}-${sandboxId.slice(12, 16)}-${sandboxId.slice(16, 20)}-${sandboxId.slice(20, 32)}`;
  return `failed to execute portforward in network namespace "${namespace}": failed to connect to localhost:${port} inside namespace "${sandboxId}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found `;
}

/** The only one whose ID begins so. */
function byPrefix<T>(all: ReadonlyMap<string, T>, prefix: string): T | undefined {
  const fitting = [...all].filter(([id]) => prefix !== '' && id.startsWith(prefix));
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

function notFound(id: string): CriError {
  return {error: {code: 'NotFound', message: `an error occurred when try to find container "${id}": not found`}};
}

function notRunning(container: Container): CriError {
  return {
    error: {
      code: 'Unknown',
      message: `failed to exec in container: container is in CONTAINER_${container.status.state.toUpperCase()} state`,
    },
  };
}
