// `crictl stats`, `statsp`, `imagefsinfo`: what containers, pods and images take.
import type {ContainerUsage, ImageStatus, SandboxStatus} from '../../api/wire/cri.ts';
import type {Given} from './given.ts';
import {print} from './lists.ts';
import {short, size} from './text.ts';

const IMAGES = '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs';

/** `crictl stats` */
export async function stats(given: Given): Promise<void> {
  const {runtime, flags, words} = given;
  const all = await runtime.ask<readonly ContainerUsage[]>(
    {kind: 'usage'},
    {call: 'ListContainerStats', doing: 'get container stats: '},
  );
  const id = words[0] ?? flags.text('id');
  const chosen = all.filter(usage => usage.id.startsWith(id));
  const head = ['CONTAINER', 'NAME', 'CPU %', 'MEM', 'DISK', 'INODES', 'SWAP'];
  await print(given, {
    ids: chosen.map(usage => usage.id),
    objects: () => ({
      stats: chosen.map(({id: container, name, cpuSeconds, memoryBytes}) => ({
        attributes: {id: container, metadata: {attempt: 0, name}},
        cpu: {usageCoreNanoSeconds: {value: String(Math.round(cpuSeconds * 1e9))}},
        memory: {workingSetBytes: {value: String(Math.round(memoryBytes))}},
      })),
    }),
    rows: () => [
      head,
      ...chosen.map(({id: container, name, cpuCores, memoryBytes}) => [
        short(container),
        name,
        (cpuCores * 100).toFixed(2),
        size(memoryBytes),
        size(40_960),
        '12',
        '0B',
      ]),
    ],
  });
}

/** `crictl statsp` */
export async function podStats(given: Given): Promise<void> {
  const {runtime, flags, words} = given;
  const listed = {call: 'ListPodSandboxStats', doing: 'get pod stats: '};
  const all = await runtime.ask<readonly ContainerUsage[]>({kind: 'usage'}, listed);
  const sandboxes = await runtime.ask<readonly SandboxStatus[]>({kind: 'sandboxes'}, listed);
  const id = words[0] ?? flags.text('id');
  const chosen = sandboxes
    .filter(each => each.state === 'ready' && each.id.startsWith(id))
    .map(each => {
      const own = all.filter(({uid}) => uid === each.uid);
      const sum = (of: (usage: ContainerUsage) => number) => own.reduce((total, usage) => total + of(usage), 0);
      return {
        ...each,
        cpuCores: sum(({cpuCores}) => cpuCores),
        cpuSeconds: sum(({cpuSeconds}) => cpuSeconds),
        memoryBytes: sum(({memoryBytes}) => memoryBytes),
      };
    });
  await print(given, {
    ids: chosen.map(each => each.id),
    objects: () => ({
      stats: chosen.map(({id: pod, name, namespace, uid, attempt, cpuSeconds, memoryBytes}) => ({
        attributes: {id: pod, metadata: {attempt, name, namespace, uid}},
        linux: {
          cpu: {usageCoreNanoSeconds: {value: String(Math.round(cpuSeconds * 1e9))}},
          memory: {workingSetBytes: {value: String(Math.round(memoryBytes))}},
        },
      })),
    }),
    rows: () => [
      ['POD', 'POD ID', 'CPU %', 'MEM'],
      ...chosen.map(({id: pod, name, cpuCores, memoryBytes}) => [
        name,
        short(pod),
        (cpuCores * 100).toFixed(2),
        size(memoryBytes),
      ]),
    ],
  });
}

/** `crictl imagefsinfo`: JSON, unless a form is asked for. */
export async function imageFilesystem({runtime, process}: Given): Promise<void> {
  const all = await runtime.ask<readonly ImageStatus[]>(
    {kind: 'images'},
    {call: 'ImageFsInfo', doing: 'image filesystem info request: '},
  );
  const bytes = all.reduce((sum, each) => sum + each.size, 0);
  const usage = {
    timestamp: String(Math.round(process.machine.wall() * 1e6)),
    fsId: {mountpoint: IMAGES},
    usedBytes: {value: String(bytes)},
    inodesUsed: {value: String(all.length * 1200)},
  };
  await process.out(`${JSON.stringify({status: {imageFilesystems: [usage], containerFilesystems: [usage]}}, null, 2)}\n`);
}
