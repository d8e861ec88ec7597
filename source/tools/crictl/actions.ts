// What crictl does to containers, sandboxes and images: looks inside, logs, runs, stops, removes, pulls.
import type {Status} from '../../api/kinds/meta.ts';
import {runTemplate} from '../../api/go-template/execute.ts';
import {parseTemplate} from '../../api/go-template/parse.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {
  isCriError,
  type ContainerStatus,
  type ImageStatus,
  type LogLine,
  type RuntimeStatus,
  type SandboxStatus,
} from '../../api/wire/cri.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import {INTERRUPTED, type Process} from '../../sim/process/process.ts';
import type {Given} from './given.ts';
import {containerDetail, imageObject, sandboxDetail} from './objects.ts';
import {Fatal} from './runtime.ts';
import {nanoTime} from './text.ts';

function needed(words: readonly string[], what: string): readonly string[] {
  if (words.length === 0) throw new Fatal(`${what} cannot be empty`);
  return words;
}

function statusOf({runtime}: Given, id: string, doing: string): Promise<ContainerStatus> {
  const about = ` containerID=${JSON.stringify(id)}`;
  return runtime.ask<ContainerStatus>({kind: 'container-status', id}, {call: 'ContainerStatus', doing, about});
}

function sandboxes({runtime}: Given): Promise<readonly SandboxStatus[]> {
  return runtime.ask<readonly SandboxStatus[]>({kind: 'sandboxes'}, {call: 'ListPodSandbox', doing: 'listing pod sandboxes: '});
}

/** Prints an object in the form that was asked for. */
async function show({process, flags}: Given, value: Record<string, unknown>): Promise<void> {
  const form = flags.text('output') || 'json';
  if (form !== 'go-template') {
    await process.out(form === 'yaml' ? printYaml(value) : `${JSON.stringify(value, null, 2)}\n`);
    return;
  }
  const text = flags.text('template');
  const parsed = parseTemplate(text);
  if ('error' in parsed) throw new Fatal(`output status info: failed to parse template: ${parsed.error}`);
  const {output, error} = runTemplate({text, templates: parsed.templates, strict: false}, value);
  if (error !== undefined) throw new Fatal(`output status info: failed to execute template: ${error}`);
  await process.out(`${output}\n`);
}

export async function inspect(given: Given): Promise<void> {
  const pods = await sandboxes(given);
  for (const id of needed(given.words, 'ID')) {
    const status = await statusOf(given, id, 'get the status of containers: get container status: ');
    await show(
      given,
      containerDetail(
        status,
        pods.find(pod => pod.id === status.sandboxId),
      ),
    );
  }
}

export async function inspectPod(given: Given): Promise<void> {
  const pods = await sandboxes(given);
  for (const id of needed(given.words, 'ID')) {
    const pod = pods.find(each => each.id.startsWith(id));
    if (!pod)
      throw new Fatal(
        `get the status of pod sandboxes: get pod sandbox status: rpc error: code = NotFound desc = an error occurred when try to find sandbox: not found`,
      );
    await show(given, sandboxDetail(pod));
  }
}

export async function inspectImage(given: Given): Promise<void> {
  const {runtime} = given;
  for (const image of needed(given.words, 'ID')) {
    const status = await runtime.ask<ImageStatus | undefined>(
      {kind: 'image-status', image},
      {call: 'ImageStatus', doing: 'image status request: '},
    );
    if (!status) throw new Fatal(`no such image ${JSON.stringify(image)} present`);
    await show(given, {info: {}, status: imageObject(status)});
  }
}

export async function logs(given: Given): Promise<void> {
  const {words, flags, process, runtime} = given;
  const [id = ''] = needed(words, 'ID');
  const status = await statusOf(given, id, '');
  const tail = flags.has('tail') ? flags.number('tail') : undefined;
  const sinceMs = flags.text('since') === '' ? 0 : flags.duration('since');
  const opened = await runtime.open<readonly LogLine[], readonly LogLine[]>({
    kind: 'logs',
    id: status.id,
    follow: flags.on('follow'),
    ...(tail === undefined || tail < 0 ? {} : {tail}),
    ...(sinceMs > 0 ? {since: process.machine.wall() - sinceMs} : {}),
  });
  const print = async (lines: readonly LogLine[]) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      // Lines of one stream in a row go out together, so that their order stays.
      if (lines.every(line => line.stream === stream)) {
        await process.write(stream === 'stdout' ? 1 : 2, lines.map(line => textOf(line, flags.on('timestamps'))).join(''));
        return;
      }
    }
    for (const line of lines) await process.write(line.stream === 'stdout' ? 1 : 2, textOf(line, flags.on('timestamps')));
  };
  if (isCriError(opened.answer)) throw new Fatal('reading the log failed');
  await print(opened.answer);
  while (flags.on('follow')) {
    const frame = await opened.next();
    if (frame === null || frame === INTERRUPTED || frame === 'timeout') break;
    await print(frame);
  }
  opened.close();
}

function textOf({at, text}: LogLine, timestamps: boolean): string {
  return timestamps ? `${nanoTime(at)} ${text}\n` : `${text}\n`;
}

export async function exec(given: Given): Promise<void | number> {
  const {words, flags, process, runtime} = given;
  const [id = '', ...command] = words;
  if (id === '') throw new Fatal('ID cannot be empty');
  if (command.length === 0) throw new Fatal('execing command in container: command not specified');
  const status = await statusOf(given, id, 'execing command in container: ');
  const stdin = flags.on('interactive');
  const tty = flags.on('tty') && process.streams.get(0)?.isTerminal === true;
  const opened = await runtime.open<unknown, ChannelFrame>({kind: 'exec', id: status.id, command, stdin, tty});
  if (isCriError(opened.answer))
    throw new Fatal(
      `execing command in container: rpc error: code = ${opened.answer.error.code} desc = ${opened.answer.error.message}`,
    );
  const typist = stdin ? startTypist(process, data => opened.send({channel: 0, data})) : undefined;
  const ended = await carry(process, () => opened.next());
  if (typist) process.kernel.signal(typist, 'KILL');
  opened.close();
  return ended;
}

function startTypist(process: Process, send: (data: string | null) => void): Process | undefined {
  const type = async (own: Process): Promise<number> => {
    for (;;) {
      const text = await own.read(0);
      if (text === INTERRUPTED) continue;
      send(text);
      if (text === null) return 0;
    }
  };
  return process.spawn(type, {argv: process.argv});
}

type Next = () => Promise<ChannelFrame | null | 'timeout' | typeof INTERRUPTED>;

async function carry(process: Process, next: Next): Promise<void> {
  for (;;) {
    const frame = await next();
    if (frame === null) return;
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    if (frame.channel === 3) return finish(frame.data as Status);
    if (typeof frame.data === 'string') await process.write(frame.channel === 2 ? 2 : 1, frame.data);
  }
}

function finish(status: Status): void {
  if (status.status === 'Success') return;
  const code = status.details?.causes?.find(cause => cause.reason === 'ExitCode')?.message;
  throw new Fatal(
    `execing command in container: ${code === undefined ? (status.message ?? '') : `command terminated with exit code ${code}`}`,
  );
}

export async function stop(given: Given): Promise<void> {
  const {runtime, process, flags} = given;
  for (const id of needed(given.words, 'ID')) {
    const status = await statusOf(given, id, `stopping the container ${JSON.stringify(id)}: `);
    const graceSeconds = flags.number('timeout');
    await runtime.ask(
      {kind: 'stop-container', id: status.id, graceSeconds},
      {call: 'StopContainer', doing: `stopping the container ${JSON.stringify(id)}: `},
    );
    await process.out(`${id}\n`);
  }
}

export async function remove(given: Given): Promise<void> {
  const {runtime, process, flags} = given;
  const all = await runtime.ask<readonly ContainerStatus[]>(
    {kind: 'containers'},
    {call: 'ListContainers', doing: 'listing containers: '},
  );
  const ids = flags.on('all') ? all.map(each => each.id) : needed(given.words, 'ID');
  for (const id of ids) {
    const status = await statusOf(given, id, `removing container ${JSON.stringify(id)}: `);
    if (status.state === 'running' && !flags.on('force'))
      throw new Fatal(`unable to remove container(s): container ${JSON.stringify(id)} is running, please stop it first`);
    await runtime.ask(
      {kind: 'remove-container', id: status.id},
      {call: 'RemoveContainer', doing: `removing the container ${JSON.stringify(id)}: `},
    );
    await process.out(`${id}\n`);
  }
}

export async function stopPod(given: Given): Promise<void> {
  for (const pod of await chosenPods(given)) {
    await given.runtime.ask(
      {kind: 'stop-sandbox', id: pod.id},
      {call: 'StopPodSandbox', doing: `stopping the pod sandbox ${JSON.stringify(pod.id)}: `},
    );
    await given.process.out(`Stopped sandbox ${pod.asked}\n`);
  }
}

export async function removePod(given: Given): Promise<void> {
  for (const pod of await chosenPods(given)) {
    if (pod.state === 'ready' && !given.flags.on('force'))
      throw new Fatal(`unable to remove pod(s): sandbox ${JSON.stringify(pod.asked)} is running, please stop it first`);
    await given.runtime.ask(
      {kind: 'remove-sandbox', id: pod.id},
      {call: 'RemovePodSandbox', doing: `removing the pod sandbox ${JSON.stringify(pod.id)}: `},
    );
    await given.process.out(`Removed sandbox ${pod.asked}\n`);
  }
}

async function chosenPods(given: Given): Promise<(SandboxStatus & {readonly asked: string})[]> {
  const all = await sandboxes(given);
  if (given.flags.on('all')) return all.map(pod => ({...pod, asked: pod.id}));
  return needed(given.words, 'ID').map(asked => {
    const pod = all.find(each => each.id.startsWith(asked));
    if (!pod)
      throw new Fatal(
        `getting sandbox status of pod ${JSON.stringify(asked)}: rpc error: code = NotFound desc = an error occurred when try to find sandbox: not found`,
      );
    return {...pod, asked};
  });
}

export async function removeImage(given: Given): Promise<void> {
  const {runtime, process, flags} = given;
  const all = await runtime.ask<readonly ImageStatus[]>({kind: 'images'}, {call: 'ListImages', doing: 'listing images: '});
  const inUse = new Set(
    (await runtime.ask<readonly ContainerStatus[]>({kind: 'containers'}, {call: 'ListContainers', doing: ''})).map(
      each => each.imageId,
    ),
  );
  const names = flags.on('all')
    ? all.map(image => image.id)
    : flags.on('prune')
      ? all.filter(image => !inUse.has(image.id) && !image.tags.some(tag => tag.includes('/pause:'))).map(image => image.id)
      : needed(given.words, 'IMAGE-ID');
  let failed = false;
  for (const name of names) {
    const status =
      all.find(image => image.id === name || image.id.startsWith(`sha256:${name}`)) ??
      (await runtime.ask<ImageStatus | undefined>(
        {kind: 'image-status', image: name},
        {call: 'ImageStatus', doing: 'image status request: '},
      ));
    if (!status) {
      await process.err(`ERRO[0000] no such image ${name}\n`);
      failed = true;
      continue;
    }
    await runtime.ask(
      {kind: 'remove-image', image: status.id},
      {call: 'RemoveImage', doing: `error of removing image ${JSON.stringify(name)}: `},
    );
    const gone = status.tags.length > 0 ? status.tags : [status.id];
    await process.out(gone.map(tag => `Deleted: ${tag}\n`).join(''));
  }
  if (failed) throw new Fatal('unable to remove the image(s)');
}

export async function pull(given: Given): Promise<void> {
  const [image = ''] = needed(given.words, 'image');
  const about = ` image=${JSON.stringify(image)}`;
  const status = await given.runtime.ask<ImageStatus>(
    {kind: 'pull-image', image},
    {call: 'PullImage', doing: 'pulling image: ', about},
  );
  await given.process.out(`Image is up to date for ${status.id}\n`);
}

export async function version({runtime, process}: Given): Promise<void> {
  const {
    version: api,
    runtimeName,
    runtimeVersion,
    runtimeApiVersion,
  } = await runtime.ask<Record<string, string>>({kind: 'version'}, {call: 'Version', doing: 'getting the runtime version: '});
  await process.out(
    `Version:  ${api}\nRuntimeName:  ${runtimeName}\nRuntimeVersion:  ${runtimeVersion}\nRuntimeApiVersion:  ${runtimeApiVersion}\n`,
  );
}

export async function info(given: Given): Promise<void> {
  const status = await given.runtime.ask<RuntimeStatus>({kind: 'status'}, {call: 'Status', doing: 'getting status of runtime: '});
  await show(given, {
    lastCNILoadStatus: status.networkReady ? 'OK' : status.networkMessage,
    runtimeHandlers: [{features: {recursive_read_only_mounts: true, user_namespaces: true}, name: 'runc'}],
    status: {
      conditions: [
        {message: '', reason: '', status: true, type: 'RuntimeReady'},
        {message: status.networkMessage, reason: status.networkReason, status: status.networkReady, type: 'NetworkReady'},
        {message: '', reason: '', status: true, type: 'ContainerdHasNoDeprecationWarnings'},
      ],
    },
  });
}
