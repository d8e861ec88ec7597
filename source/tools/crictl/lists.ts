// `crictl pods`, `ps`, `images`: what there is.
import type {ContainerStatus, ImageStatus, SandboxStatus} from '../../api/wire/cri.ts';
import {containerObject, imageObject, sandboxObject} from './objects.ts';
import {Fatal} from './runtime.ts';
import {ago, short, size, table} from './text.ts';
import type {Given} from './given.ts';

const RUNNING = 'running';

/** The newest first. */
function byAge<T extends {readonly createdAt: number}>(all: readonly T[]): T[] {
  return [...all].sort((a, b) => b.createdAt - a.createdAt);
}

function patternOf(text: string): (value: string) => boolean {
  if (text === '') return () => true;
  try {
    const regex = new RegExp(text);
    return value => regex.test(value);
  } catch {
    throw new Fatal(`listing: invalid regular expression ${JSON.stringify(text)}`);
  }
}

/** Prints a list in the form that was asked for. */
export async function print(
  given: Given,
  facts: {ids: readonly string[]; objects: () => unknown; rows: () => readonly string[][]},
): Promise<void> {
  const {process, flags} = given;
  const form = flags.text('output');
  if (flags.on('quiet')) await process.out(facts.ids.map(id => `${id}\n`).join(''));
  else if (form === 'json') await process.out(`${JSON.stringify(facts.objects(), null, 2)}\n`);
  else if (form === 'table' || form === '') await process.out(table(facts.rows()));
  else throw new Fatal(`unsupported output format ${JSON.stringify(form)}`);
}

export async function pods(given: Given): Promise<void> {
  const {runtime, flags, process} = given;
  const all = await runtime.ask<readonly SandboxStatus[]>(
    {kind: 'sandboxes'},
    {call: 'ListPodSandbox', doing: 'listing pod sandboxes: '},
  );
  const named = patternOf(flags.text('name'));
  const spaced = patternOf(flags.text('namespace'));
  const state = flags.text('state').toLowerCase();
  const labels = labelsOf(flags.text('label'));
  const chosen = byAge(all).filter(
    pod =>
      named(pod.name) &&
      spaced(pod.namespace) &&
      pod.id.startsWith(flags.text('id')) &&
      (state === '' || pod.state === state) &&
      labels.every(([key, value]) => pod.labels[key] === value),
  );
  const kept = cut(chosen, given);
  const now = process.machine.wall();
  const head = ['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT', 'RUNTIME'];
  await print(given, {
    ids: kept.map(pod => pod.id),
    objects: () => ({items: kept.map(sandboxObject)}),
    rows: () => [
      head,
      ...kept.map(pod => [
        flags.on('no-trunc') ? pod.id : short(pod.id),
        ago(now - pod.createdAt),
        pod.state === 'ready' ? 'Ready' : 'NotReady',
        pod.name,
        pod.namespace,
        String(pod.attempt),
        '(default)',
      ]),
    ],
  });
}

export async function ps(given: Given): Promise<void> {
  const {runtime, flags, process} = given;
  const doing = 'listing containers: ';
  const all = await runtime.ask<readonly ContainerStatus[]>({kind: 'containers'}, {call: 'ListContainers', doing});
  const sandboxes = await runtime.ask<readonly SandboxStatus[]>({kind: 'sandboxes'}, {call: 'ListPodSandbox', doing});
  const podOf = (container: ContainerStatus) => sandboxes.find(pod => pod.id === container.sandboxId);
  const named = patternOf(flags.text('name'));
  const pictured = patternOf(flags.text('image'));
  const spaced = patternOf(flags.text('namespace'));
  const state = flags.text('state').toLowerCase();
  if (state !== '' && !['created', RUNNING, 'exited', 'unknown'].includes(state))
    throw new Fatal(`listing containers: --state should be one of created, running, exited or unknown`);
  const everything = flags.on('all') || flags.has('last') || flags.on('latest') || flags.has('id');
  const chosen = byAge(all).filter(
    container =>
      (state === '' ? everything || container.state === RUNNING : container.state === state) &&
      named(container.name) &&
      (flags.text('image') === '' ||
        pictured(container.image) ||
        container.imageId.startsWith(`sha256:${flags.text('image')}`)) &&
      spaced(podOf(container)?.namespace ?? '') &&
      container.sandboxId.startsWith(flags.text('pod')) &&
      container.id.startsWith(flags.text('id')),
  );
  const kept = cut(chosen, given);
  const now = process.machine.wall();
  const head = ['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE'];
  const trim = (id: string) => (flags.on('no-trunc') ? id : short(id));
  await print(given, {
    ids: kept.map(container => container.id),
    objects: () => ({containers: kept.map(each => containerObject(each, podOf(each)))}),
    rows: () => [
      head,
      ...kept.map(container => [
        trim(container.id),
        trim(container.imageId),
        ago(now - container.createdAt),
        container.state.replace(/^./, first => first.toUpperCase()),
        container.name,
        String(container.attempt),
        trim(container.sandboxId),
        podOf(container)?.name ?? 'unknown',
        podOf(container)?.namespace ?? 'unknown',
      ]),
    ],
  });
}

function cut<T>(all: readonly T[], {flags}: Given): readonly T[] {
  if (flags.on('latest')) return all.slice(0, 1);
  return flags.has('last') ? all.slice(0, Math.max(0, flags.number('last'))) : all;
}

function labelsOf(text: string): [string, string][] {
  return text
    .split(',')
    .filter(Boolean)
    .map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
}

export async function images(given: Given): Promise<void> {
  const {runtime, flags, words} = given;
  const all = await runtime.ask<readonly ImageStatus[]>({kind: 'images'}, {call: 'ListImages', doing: 'listing images: '});
  const sorted = [...all].sort((a, b) => ((a.tags[0] ?? a.id) < (b.tags[0] ?? b.id) ? -1 : 1));
  const [wanted = ''] = words;
  const chosen = sorted.filter(
    image => wanted === '' || image.tags.some(tag => tag.includes(wanted)) || image.id.includes(wanted),
  );
  const head = ['IMAGE', 'TAG', ...(flags.on('digests') ? ['DIGEST'] : []), 'IMAGE ID', 'SIZE'];
  await print(given, {
    ids: chosen.map(image => image.id),
    objects: () => ({images: chosen.map(imageObject)}),
    rows: () => [
      head,
      ...chosen.flatMap(image =>
        (image.tags.length > 0 ? image.tags : ['<none>:<none>']).map(tag => {
          const at = tag.lastIndexOf(':');
          const digest = short(image.digests[0]?.replace(/^.*@/, '') ?? '<none>');
          const id = flags.on('no-trunc') ? image.id : short(image.id);
          return [tag.slice(0, at), tag.slice(at + 1), ...(flags.on('digests') ? [digest] : []), id, size(image.size)];
        }),
      ),
    ],
  });
}
