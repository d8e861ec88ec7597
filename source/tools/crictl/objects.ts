// Containers, sandboxes and images as the CRI's JSON has them.
import type {ContainerStatus, ImageStatus, SandboxStatus} from '../../api/wire/cri.ts';
import {nanoTime} from './text.ts';

/** Where the kubelet has the runtime write a container's log. */
export function logPath({name, attempt}: ContainerStatus, pod: SandboxStatus | undefined): string {
  return `/var/log/pods/${pod?.namespace}_${pod?.name}_${pod?.uid}/${name}/${attempt}.log`;
}

function podLabels(pod: SandboxStatus | undefined): Record<string, string> {
  return {
    'io.kubernetes.pod.name': pod?.name ?? '',
    'io.kubernetes.pod.namespace': pod?.namespace ?? '',
    'io.kubernetes.pod.uid': pod?.uid ?? '',
  };
}

export function containerState({state}: ContainerStatus): string {
  return `CONTAINER_${state.toUpperCase()}`;
}

/** One of `ps -o json`. */
export function containerObject(container: ContainerStatus, pod: SandboxStatus | undefined): Record<string, unknown> {
  return {
    annotations: {},
    createdAt: String(Math.round(container.createdAt * 1e6)),
    id: container.id,
    image: {annotations: {}, image: container.imageId, runtimeHandler: '', userSpecifiedImage: container.image},
    imageId: container.imageId,
    imageRef: container.imageId,
    labels: {'io.kubernetes.container.name': container.name, ...podLabels(pod)},
    metadata: {attempt: container.attempt, name: container.name},
    podSandboxId: container.sandboxId,
    state: containerState(container),
  };
}

/** `inspect`. */
export function containerDetail(container: ContainerStatus, pod: SandboxStatus | undefined): Record<string, unknown> {
  const {id, name, attempt, image, imageId, imageRef, exitCode, reason, message, user} = container;
  return {
    info: {
      pid: container.state === 'running' ? 1 : 0,
      privileged: false,
      removing: false,
      runtimeType: 'io.containerd.runc.v2',
      sandboxID: container.sandboxId,
      snapshotKey: id,
      snapshotter: 'overlayfs',
    },
    status: {
      annotations: {
        'io.kubernetes.container.restartCount': String(attempt),
        'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
        'io.kubernetes.container.terminationMessagePolicy': 'File',
      },
      createdAt: nanoTime(container.createdAt),
      exitCode,
      finishedAt: nanoTime(container.finishedAt),
      id,
      image: {annotations: {}, image, runtimeHandler: '', userSpecifiedImage: ''},
      imageId,
      imageRef,
      labels: {'io.kubernetes.container.name': name, ...podLabels(pod)},
      logPath: logPath(container, pod),
      message,
      metadata: {attempt, name},
      mounts: [],
      reason,
      startedAt: nanoTime(container.startedAt),
      state: containerState(container),
      user: {linux: {gid: String(user.gid), supplementalGroups: user.groups.map(String), uid: String(user.uid)}},
    },
  };
}

/** One of `pods -o json`. */
export function sandboxObject(pod: SandboxStatus): Record<string, unknown> {
  return {
    annotations: {},
    createdAt: String(Math.round(pod.createdAt * 1e6)),
    id: pod.id,
    labels: {...pod.labels, ...podLabels(pod)},
    metadata: {attempt: pod.attempt, name: pod.name, namespace: pod.namespace, uid: pod.uid},
    runtimeHandler: '',
    state: `SANDBOX_${pod.state.toUpperCase()}`,
  };
}

/** `inspectp`. */
export function sandboxDetail(pod: SandboxStatus): Record<string, unknown> {
  return {
    info: {runtimeHandler: '', runtimeType: 'io.containerd.runc.v2', image: 'registry.k8s.io/pause:3.10'},
    status: {
      ...sandboxObject(pod),
      createdAt: nanoTime(pod.createdAt),
      linux: {namespaces: {options: {ipc: 'POD', network: pod.ip === '' ? 'NODE' : 'POD', pid: 'CONTAINER', targetId: ''}}},
      network: {additionalIps: [], ip: pod.ip},
    },
  };
}

/** One of `images -o json`, and `inspecti`'s status. */
export function imageObject({id, tags, digests, size, user}: ImageStatus): Record<string, unknown> {
  return {
    id,
    pinned: false,
    repoDigests: digests,
    repoTags: tags,
    size: String(size),
    spec: null,
    uid: /^\d+/.test(user) ? {value: user.split(':')[0]} : null,
    username: /^\d+/.test(user) ? '' : user,
  };
}
